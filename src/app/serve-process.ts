import cluster from 'node:cluster';
import { once } from 'node:events';
import { loadContent } from '../content/load-content.ts';
import { type WrittenError, writtenError } from '../kernel/errors.ts';
import { holdPauses } from '../runtime/hold-memory.ts';
import { answerMetricsOfParent } from '../service/metrics.ts';
import { buildServer, type ServeOptions } from './build-server.ts';

/** What a process of a served service says to the one that started it: its address, or why it cannot serve. */
export type FromProcess = { readonly serving: string } | { readonly refused: WrittenError };

// As in `main.ts`: a crash report must not contain secrets of the environment.
process.report.excludeEnv = true;
holdPauses();
// Terminals and systemd send signals to every process of a group, the parent sends them on: the first one counts.
const ending = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
answerMetricsOfParent();

const tell = (message: FromProcess): void => void process.send?.(message);

const [options] = (await once(process, 'message')) as [ServeOptions];
try {
  const write = (line: string) => process.stderr.write(line);
  const server = await buildServer(options, loadContent, write, cluster.worker?.id ?? 0);
  tell({ serving: server.url });
  await ending;
  await server.stop();
} catch (error) {
  const refused = writtenError(error);
  if (refused === undefined) throw error;
  tell({ refused });
}
process.disconnect();
await once(process, 'disconnect');
