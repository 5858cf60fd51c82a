import cluster from 'node:cluster';
import { once } from 'node:events';
import type { ServeOptions } from '../../cli/io.ts';
import { gathered } from '../../database/gathered.ts';
import { systemClock } from '../../kernel/calendar.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { holdPauses } from '../../runtime/hold-memory.ts';
import { loadContent } from '../../service/content/load-content.ts';
import { answerMetricsOfParent, type RequestCount } from '../../service/http/metrics.ts';
import { traceSources } from '../source-lines.ts';
import { buildServer } from './build-server.ts';

/** Messages between a process of a served service and the one that started it. */
export type ToProcess =
  | { readonly serve: ServeOptions }
  | { readonly counts: readonly RequestCount[] }
  | { readonly renewCertificate: true }
  | { readonly end: true };
export type FromProcess =
  | { readonly serving: string }
  | { readonly count: readonly number[] }
  | { readonly refused: Pick<TieoutError, 'code' | 'message' | 'nextStep'> };

// As in `main.ts`: a crash report must not contain secrets of the environment.
process.report.excludeEnv = true;
traceSources();
holdPauses();
// Terminals and systemd send these signals to every process of a group; the parent decides what to do. A process that
// ended at once would leave its port before the drain is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const COUNTED_TOGETHER = 1_000;

const tell = (message: FromProcess): void => void process.send?.(message);

answerMetricsOfParent();
const asked = Promise.withResolvers<ServeOptions>();
const ending = Promise.withResolvers<void>();
let answerCounts: (counts: readonly RequestCount[]) => void = () => {};
let renewCertificate: (() => void) | undefined;
process.on('message', (message: ToProcess) => {
  if ('serve' in message) asked.resolve(message.serve);
  else if ('counts' in message) answerCounts(message.counts);
  else if ('renewCertificate' in message) renewCertificate?.();
  else if ('end' in message) ending.resolve();
});

/** The parent counts the requests of all processes, so that a limit applies however the connections are distributed. */
const countRequest = gathered<number, RequestCount>(
  { groupMax: COUNTED_TOGETHER, inFlightMax: 1 },
  (count) =>
    new Promise((resolve) => {
      answerCounts = resolve;
      tell({ count });
    }),
);

const options = await asked.promise;
const surroundings = { clock: systemClock, loadContent: async (folder?: string) => loadContent(folder) };
try {
  const server = await buildServer(options, surroundings, (line) => process.stderr.write(line), {
    process: cluster.worker?.id ?? 0,
    countRequest,
  });
  ({ renewCertificate } = server);
  tell({ serving: server.url });
  await ending.promise;
  await server.stop();
} catch (error) {
  if (!(error instanceof TieoutError)) throw error;
  const { code, message, nextStep } = error;
  tell({ refused: { code, message, nextStep } });
}
process.disconnect();
await once(process, 'disconnect');
