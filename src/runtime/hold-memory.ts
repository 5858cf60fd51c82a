import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Left alone V8 lets the heap grow fourfold before it looks for waste. At 35 a close takes a tenth longer. */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Keep a long run over many records small. The records of a batch outlive a collection or two, and are gone before the
 * next batch. V8 would learn from the first that their kind lives long, and from then on make all of it where only a
 * collection of the whole heap finds what no one needs, and keep alive what it refers to: new objects are always young.
 */
export const holdMemory = (): void => {
  if (isHeld) return;
  isHeld = true;
  capYoungGeneration(YOUNG_BYTES_OF_RUN);
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
};

let isHeld = false;

/** Where V8 makes new objects, both halves of it. Left alone it grows to four times this. */
const YOUNG_BYTES_ENOUGH = 32 * 1024 * 1024;
/** In a run over many records it is not slower with half of that, and half as many buffers wait to be collected. */
const YOUNG_BYTES_OF_RUN = YOUNG_BYTES_ENOUGH / 2;
const GROWTH_FACTOR = 2;

/**
 * Keep a long run from taking memory that does not make it faster. V8 doubles the space for new objects whenever
 * many of them survive, which a pass in batches or a burst of requests makes happen now and then. The option for it,
 * `--max-semi-space-size`, is only heeded when the process starts; a growth by the factor one is heeded at any time.
 * Where V8 has given the space back, in an idle hour, it may grow again.
 */
export const capYoungGeneration = (bytesEnough = YOUNG_BYTES_ENOUGH): void => {
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
