import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { costSoFar } from './cost.ts';

/** Loaded before a command, so that it says at its end what it has cost. */
const COST_FD = 3;

if (isMainThread) process.on('exit', () => writeSync(COST_FD, JSON.stringify(costSoFar())));
