import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** By default V8 lets the heap grow fourfold before it collects garbage. At 35 a close takes a tenth longer. */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Keep memory small in a long run over many records. The records of a batch survive a collection or two and are garbage
 * before the next batch. V8 would conclude that such objects live long, and allocate them where only a full collection
 * frees them and all that they refer to. With these settings new objects always start in the young generation.
 */
export const holdMemory = (): void => {
  if (isHeld) return;
  isHeld = true;
  capYoungGeneration(YOUNG_BYTES_OF_RUN);
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
};

let isHeld = false;

/**
 * Keep memory small and pauses short in a process that answers many callers. V8 would collect new objects with further
 * threads and wait for all of them; where every processor is busy, one of them waits for its turn, and all callers with
 * it (docs/decisions/0380-one-thread-collects-in-a-service.md).
 */
export const holdPauses = (): void => {
  capYoungGeneration(YOUNG_BYTES_ENOUGH);
  setFlagsFromString('--no-parallel-scavenge');
};

/** Size of V8's space for new objects that is enough, both halves together. By default it grows to four times this. */
const YOUNG_BYTES_ENOUGH = 32 * 1024 * 1024;
/** A run over many records is as fast with half of that, and half as many buffers wait to be collected. */
const YOUNG_BYTES_OF_RUN = YOUNG_BYTES_ENOUGH / 2;
const GROWTH_FACTOR = 2;

/**
 * Keep a long run from taking memory that does not make it faster. V8 doubles the space for new objects whenever many
 * of them survive, which happens now and then in a pass in batches or a burst of requests. Its option
 * `--max-semi-space-size` applies only when the process starts; a growth factor of one applies at any time. After V8
 * has released the space, in an idle hour, it may grow again.
 */
const capYoungGeneration = (bytesEnough: number): void => {
  let isHeld = false;
  new PerformanceObserver(() => {
    const isEnough = youngBytes() >= bytesEnough;
    if (isEnough === isHeld) return;
    isHeld = isEnough;
    setFlagsFromString(`--semi-space-growth-factor=${isHeld ? 1 : GROWTH_FACTOR}`);
  }).observe({ entryTypes: ['gc'] });
};

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
