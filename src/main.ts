import { programVersion } from './app/program.ts';
import { buildIo } from './cli/io.ts';
import { run } from './cli/run.ts';

/** The composition root: the only place that reads the environment and passes it on. `cli/io.ts` builds the rest. */

const version = programVersion();

// Secrets come from the environment, so the report that Node writes of a crash must not contain it.
process.report.excludeEnv = true;

/** When the reader of the output has gone, as with `head`, the work continues, and the exit code tells how it ended. */
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
});

process.exitCode = await run(process.argv.slice(2), version, io);
