import { Command, Option } from 'commander';
import { TieoutError } from '../kernel/errors.ts';
import { type CommandIo, LOG_LEVELS, type LogLevel } from './io.ts';
import { wholeNumber } from './options.ts';

type Options = {
  readonly port: number;
  readonly host: string;
  readonly ledger: string;
  readonly content?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  readonly sandbox?: boolean;
  readonly rateLimit?: number;
  readonly processes?: number;
  readonly maxWaiting: number;
  readonly drain: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
};

const PORT_MAX = 65_535;
const PROCESSES_MAX = 256;
const WAITING_MAX = 100_000;
const DRAIN_SECONDS_MAX = 3_600;

/** Builds `tieout serve`: serves the tax service over HTTP or HTTPS until it is asked to stop. */
export const serveCommand = (io: CommandIo): Command =>
  new Command('serve')
    .option('-p, --port <number>', 'the port; 0 takes a free one', wholeNumber(PORT_MAX), 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-l, --ledger <url>', 'the service database', 'sqlite:.tieout/ledger.db')
    .option('--content <folder>', 'use this tax content folder instead of the built-in one')
    .option('--certificate <file>', 'PEM certificate; with --key, serves TLS 1.2 or later')
    .option('--key <file>', 'PEM key of the certificate')
    .option('--insecure', 'allow plain HTTP on other addresses than this machine’s own')
    .option('--sandbox', 'honour X-TJ-Expected-Response, to try out errors')
    .option(
      '--rate-limit <number>',
      'requests per minute and account, in each process',
      wholeNumber(10_000_000),
    )
    .option(
      '--processes <number>',
      'serve in so many processes, and start those again that end',
      wholeNumber(PROCESSES_MAX, 1),
    )
    .option(
      '--max-waiting <number>',
      'requests at once in a process; more get 503',
      wholeNumber(WAITING_MAX, 1),
      500,
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
        .choices([...LOG_LEVELS])
        .default('info'),
    )
    .option('--json', 'print the address as one JSON object')
    .action(async (options: Options) => {
      const tls = tlsOf(options);
      const server = await io.serve({
        ledger: options.ledger,
        content: options.content,
        host: options.host,
        port: options.port,
        insecure: options.insecure === true,
        sandbox: options.sandbox === true,
        ...(tls && { tls }),
        ...(options.rateLimit !== undefined && { requestsPerMinuteMax: options.rateLimit }),
        waitingMax: options.maxWaiting,
        drainSeconds: options.drain,
        ...(options.processes !== undefined && { processes: options.processes }),
        logLevel: options.logLevel,
        ...(options.metricsPort !== undefined && {
          metrics: { host: options.metricsHost, port: options.metricsPort },
        }),
      });
      const { url, metricsUrl } = server;
      const answer = { url, ...(metricsUrl !== undefined && { metrics: metricsUrl }) };
      const text = `Serving at ${url}\n${metricsUrl === undefined ? '' : `Metrics at ${metricsUrl}\n`}`;
      io.print(options.json ? `${JSON.stringify(answer)}\n` : text);
      try {
        await Promise.race([io.untilAskedToEnd(), ...(server.failed ? [server.failed] : [])]);
      } finally {
        await server.stop();
      }
    });

const tlsOf = ({
  certificate,
  key,
}: Options): { readonly certificate: string; readonly key: string } | undefined => {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new TieoutError({
      code: 'E_SERVE_TLS',
      message: `TLS needs both --certificate and --key, and --${certificate === undefined ? 'certificate' : 'key'} is missing`,
      nextStep: 'Give both files, or neither.',
    });
  }
  return { certificate, key };
};
