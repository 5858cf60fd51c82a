import { availableParallelism } from 'node:os';

/** More than a few threads would wait for each other's writes. */
const OTHERS_MAX = 3;

/** Free memory required per thread, counting the first: twice what a thread uses. */
const MEMORY_PER_THREAD = 512 * 1024 * 1024;

/** Return how many threads besides this one the processors and the memory of this machine have room for. */
export const othersHere = (): number =>
  Math.min(
    OTHERS_MAX,
    availableParallelism() - 1,
    Math.floor(process.availableMemory() / MEMORY_PER_THREAD) - 1,
  );
