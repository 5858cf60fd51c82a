import { workerData } from 'node:worker_threads';
import { ownService, withService } from './build-service.ts';
import { configurationIn } from './close/configuration/load-configuration.ts';
import type { Configuration } from './close/configuration/schema.ts';
import type { Batch } from './close/stages/batches/batch.ts';
import { batchDoer } from './close/stages/batches/do-batch.ts';
import type { ClosePorts } from './close/stages/close-ports.ts';
import { openWorkspace } from './close/workspace/workspace.ts';
import { connect } from './database/connect.ts';
import { systemClock } from './kernel/clock.ts';
import { programDigest } from './program-digest.ts';
import { answerAsked } from './runtime/answer-asked.ts';
import { stopIfAsked } from './runtime/stopping.ts';

/** What a thread is handed: enough to build the ports of the same close once more. */
export type CloseThreadData = {
  readonly file: string;
  readonly configuration: Configuration;
  readonly content: string | undefined;
  readonly version: string;
  readonly output: string;
};

/** A thread of a close: it does batches with connections of its own, while the run lock stays with the close. */
const doBatches = async ({ content, version, ...data }: CloseThreadData): Promise<void> => {
  const configuration = configurationIn(data.file, data.configuration);
  const database = await connect(configuration.resolveUrl(configuration.databases.workspace));
  try {
    const workspace = await openWorkspace(database, configuration.entity);
    const place = { configuration, workspace, output: data.output };
    const options = { configuration, content, version, clock: systemClock };
    const outside = { variable: () => undefined, isEnding: () => false };
    await withService({ ...options, ...outside, ...ownService(configuration) }, (service) => {
      const ports: ClosePorts = {
        ...place,
        ...service,
        program: `Tieout ${version}`,
        programDigest: programDigest(),
        clock: systemClock,
        recompute: false,
      };
      const doBatch = batchDoer([ports]);
      return answerAsked((batch, leavingOff) =>
        doBatch(batch as Batch, () => stopIfAsked(leavingOff, (batch as Batch).stage)),
      );
    });
  } finally {
    await database.close();
  }
};

try {
  await doBatches(workerData as CloseThreadData);
} catch (error) {
  // What hinders the thread from beginning is the answer to whatever it is asked.
  await answerAsked(() => Promise.reject(error));
}
