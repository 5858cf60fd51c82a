import { workerData } from 'node:worker_threads';
import { configurationIn, type DecidedConfiguration } from '../../close/configuration/load-configuration.ts';
import type { ClosePorts } from '../../close/stages/run/close-ports.ts';
import type { Batch } from '../../close/stages/sharing/batch.ts';
import { systemClock } from '../../kernel/clock.ts';
import { inThread } from '../../runtime/in-thread.ts';
import { stopIfAsked } from '../../runtime/stopping.ts';
import { ownService, withService } from '../build-service.ts';
import { programDigest } from '../program-digest.ts';
import { traceSources } from '../source-lines.ts';
import { withWorkspace } from '../with-workspace.ts';
import { closeBatchDoer } from './batch-stages.ts';

/** The data for a thread, sufficient to build the ports of the same close again. */
export type CloseThreadData = {
  readonly file: string;
  readonly configuration: DecidedConfiguration;
  readonly content: string | undefined;
  readonly version: string;
  readonly output: string;
};

traceSources();

/** A thread of a close: it processes batches with its own connections, while the run lock stays with the close. */
await inThread(async (answerAsked) => {
  const { content, version, ...data } = workerData as CloseThreadData;
  const configuration = configurationIn(data.file, data.configuration);
  const options = { configuration, content, version, clock: systemClock };
  const outside = { variable: () => undefined, isEnding: () => false };
  await withWorkspace(configuration, (workspace) =>
    withService({ ...options, ...outside, ...ownService(configuration) }, (service) => {
      const ports: ClosePorts = {
        ...service,
        configuration,
        workspace,
        output: data.output,
        program: `Tieout ${version}`,
        programDigest: programDigest(),
        clock: systemClock,
        recompute: false,
      };
      const doBatch = closeBatchDoer([ports]);
      return answerAsked((given, cancelled) => {
        const batch = given as Batch;
        return doBatch(batch, () => stopIfAsked(cancelled, batch.stage));
      });
    }),
  );
});
