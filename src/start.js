#!/usr/bin/env node
// Plain JavaScript that any Node can read: it only checks the version and then hands over. Everything else is
// imported afterwards, so that an old Node gets a sentence instead of a syntax error or a crash.
const NODE_MAJOR_MIN = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < NODE_MAJOR_MIN) {
  process.stderr.write(
    `E_NODE_TOO_OLD: Tieout needs Node ${NODE_MAJOR_MIN} or newer, and this is Node ${process.versions.node}.\n` +
      'Run it through npm in the checkout (npm start, npm run tieout -- close 2026-10), which brings its own Node, ' +
      'or install a newer one.\n',
  );
  process.exit(78);
}

// What Node has compiled of the program once it need not compile again; where nothing can be kept, it just does.
const { constants, enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
const compiled = fileURLToPath(new URL('../node_modules/.cache/tieout', import.meta.url));
const { status } = enableCompileCache(compiled);
// Further threads learn of it only so. A folder that the user has named is named there already.
if (status === constants.compileCacheStatus.ENABLED) process.env.NODE_COMPILE_CACHE = compiled;

await import('./main.ts');
