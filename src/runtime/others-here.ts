import { availableParallelism } from 'node:os';

/** More than a few wait for one another's turn to write. */
const OTHERS_MAX = 3;

/** What there has to be for each thread, the first among them: twice what it takes. */
const MEMORY_PER_THREAD = 512 * 1024 * 1024;

/** Threads beside this one that the processors and the memory of this machine have room for. */
export const othersHere = (): number =>
  Math.min(
    OTHERS_MAX,
    availableParallelism() - 1,
    Math.floor(process.availableMemory() / MEMORY_PER_THREAD) - 1,
  );
