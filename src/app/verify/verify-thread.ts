import { workerData } from 'node:worker_threads';
import { type VerifyOptions, verifyEvidence } from '../../close/evidence/verify-evidence.ts';
import { inThread } from '../../runtime/thread.ts';
import { traceSources } from '../source-lines.ts';

traceSources();

/** A thread that verifies the folders it receives, one after another. */
await inThread((answerAsked) =>
  answerAsked((folder) => verifyEvidence(folder as string, workerData as VerifyOptions)),
);
