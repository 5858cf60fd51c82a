#!/usr/bin/env node
// Plain JavaScript that any Node can read: it only checks the version and then hands over. Everything else is imported
// afterwards, so that an old Node prints a sentence instead of a syntax error or a crash.
const NODE_MAJOR_MIN = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < NODE_MAJOR_MIN) {
  process.stderr.write(
    `E_NODE_TOO_OLD: Tieout needs Node ${NODE_MAJOR_MIN} or later, and this is Node ${process.versions.node}.\n` +
      `Install Node ${NODE_MAJOR_MIN} or later (https://nodejs.org) and run the same command again. In a checkout, ` +
      '`npm run tieout -- COMMAND` uses the Node that npm installed there.\n',
  );
  process.exit(78);
}

// Until a run handles signals itself, a signal ends the process with a message and with the exit code of that signal.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    if (process.listenerCount(signal) > 0) return;
    process.stderr.write(`Stopped by ${signal}. The same command goes on where this one stopped.\n`);
    process.kill(process.pid, signal);
  });

// Node caches the compiled program for the next start. If it cannot, it compiles every time.
const { constants, enableCompileCache } = await import('node:module');
const { homedir, tmpdir } = await import('node:os');
const { join } = await import('node:path');
const cacheOfUser = () => {
  try {
    return join(homedir(), '.cache');
  } catch {
    // A user that the system does not know, as in a container, has no home.
    return tmpdir();
  }
};
const cache = join(process.env.XDG_CACHE_HOME || cacheOfUser(), 'tieout');
const { status } = enableCompileCache(cache);
// Threads find the folder only in this variable. If the user has named a folder, it is already set.
if (status === constants.compileCacheStatus.ENABLED) process.env.NODE_COMPILE_CACHE = cache;

await import('./main.ts');
