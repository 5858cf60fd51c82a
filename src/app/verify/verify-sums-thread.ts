import { workerData } from 'node:worker_threads';
import { type SumsGiven, sumsOfLines } from '../../close/evidence/sales-sums.ts';
import { inThread } from '../../runtime/in-thread.ts';
import { traceSources } from '../source-lines.ts';

traceSources();

/** A thread that sums parts of the log of sales, one after another. */
await inThread((answerAsked) =>
  answerAsked(async (lines) => sumsOfLines(lines as readonly string[], workerData as SumsGiven)),
);
