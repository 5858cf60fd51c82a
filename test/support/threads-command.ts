import { buildIo } from '../../src/app/build-io.ts';
import { run } from '../../src/cli/run.ts';

/** The command, whose closes share every period of more than a few sales with two further threads. */
const version = '0.1.0';
const io = buildIo({
  version,
  variable: (name) => process.env[name],
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isTerminal: false,
});
process.exitCode = await run(process.argv.slice(2), version, {
  ...io,
  withClose: (configuration, options, work) =>
    io.withClose(configuration, { ...options, threads: { others: 2, salesMin: 10 } }, work),
});
