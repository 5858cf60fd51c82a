import { workerData } from 'node:worker_threads';
import { type LinesSettings, sumsOfLines } from '../../close/evidence/read-entries.ts';
import { inThread } from '../../runtime/thread.ts';
import { traceSources } from '../source-lines.ts';

traceSources();

/** A thread that sums parts of the log of entries, one after another. */
await inThread((answerAsked) =>
  answerAsked(async (lines) => sumsOfLines(lines as readonly string[], workerData as LinesSettings)),
);
