import { Command, Option } from 'commander';
import type { ServedService, ServeOptions } from '../app/build-server.ts';
import { holdPauses } from '../runtime/hold-memory.ts';
import type { CommandIo } from './io.ts';
import { wholeNumber, withContent } from './options.ts';

const PORT_MAX = 65_535;
const PROCESSES_MAX = 256;
const DRAIN_SECONDS_MAX = 3_600;

/** Builds `tieout serve`: serves the tax service over HTTP or HTTPS until it is asked to stop. */
export const serveCommand = (io: CommandIo): Command =>
  withContent(new Command('serve'))
    .option('-p, --port <number>', 'the port; 0 takes a free one', wholeNumber(PORT_MAX), 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-l, --ledger <url>', 'the service database', 'sqlite:.tieout/ledger.db')
    .option('--certificate <file>', 'PEM certificate; with --key, serves TLS 1.2 or later')
    .option('--key <file>', 'PEM key of the certificate')
    .option('--insecure', 'allow plain HTTP on other addresses than this machine’s own')
    .option(
      '--processes <number>',
      'serve in so many processes, and end with the first that ends by itself',
      wholeNumber(PROCESSES_MAX, 1),
    )
    .option(
      '--drain <seconds>',
      'how long requests are still taken after SIGTERM',
      wholeNumber(DRAIN_SECONDS_MAX),
      1,
    )
    .option(
      '--metrics-port <number>',
      'serve Prometheus metrics there; 0 takes a free one',
      wholeNumber(PORT_MAX),
    )
    .option('--metrics-host <address>', 'the address to serve metrics on', '127.0.0.1')
    .addOption(
      new Option('--log-level <level>', 'what goes to the log on standard error')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .option('--json', 'print the address as one JSON object')
    .action(async ({ json, ...options }: ServeOptions & { readonly json?: boolean }) => {
      const server = await served(options, io.warn);
      const { url, metricsUrl } = server;
      const answer = { url, ...(metricsUrl !== undefined && { metrics: metricsUrl }) };
      const text = `Serving at ${url}\n${metricsUrl === undefined ? '' : `Metrics at ${metricsUrl}\n`}`;
      io.print(json ? `${JSON.stringify(answer)}\n` : text);
      try {
        await Promise.race([io.untilAskedToEnd(), ...(server.failed ? [server.failed] : [])]);
      } finally {
        await server.stop();
      }
    });

/** Starts the tax service over HTTP; it runs until it is stopped. */
const served = async (options: ServeOptions, warn: CommandIo['warn']): Promise<ServedService> => {
  holdPauses();
  const { processes } = options;
  if (processes !== undefined) {
    const { serveOnProcesses } = await import('../app/serve-processes.ts');
    return serveOnProcesses(options, processes, warn);
  }
  const { buildServer } = await import('../app/build-server.ts');
  const { loadWholeContent } = await import('../content/load-content.ts');
  return buildServer(options, loadWholeContent, warn);
};
