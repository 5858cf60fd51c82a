import { commandIo, runCommand } from '../entry/command.ts';

/** The command, whose closes share every period of more than a few sales with two further threads. */
const io = commandIo({
  variable: (name) => process.env[name],
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
});
process.exitCode = await runCommand(process.argv.slice(2), {
  ...io,
  withClose: (configuration, options, work) =>
    io.withClose(configuration, { ...options, threads: { others: 2, salesMin: 10 } }, work),
});
