import { readFileSync } from 'node:fs';
import { buildIo } from './app/build-io.ts';
import { terminalPaint } from './app/terminal-colours.ts';
import { terminalQuestion } from './app/terminal-question.ts';
import { run } from './cli/run.ts';

/** The composition root: the one place that reads the environment and hands it in. `build-io.ts` builds the rest. */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// Secrets come from the environment, so a report that Node writes of a crash must not hold it.
process.report.excludeEnv = true;

/** Anyone who read the output has gone, as `head` does: the work goes on, and its exit code says how it ended. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const io = buildIo({
  version,
  variable: (name) => process.env[name],
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  paint: terminalPaint,
  ...(process.stdin.isTTY === true && process.stderr.isTTY === true && { ask: terminalQuestion }),
});

process.exitCode = await run(process.argv.slice(2), version, io);
