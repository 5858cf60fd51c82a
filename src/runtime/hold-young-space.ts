import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Where V8 makes new objects, both halves of it. Left alone it grows to four times this. */
const YOUNG_BYTES_ENOUGH = 32 * 1024 * 1024;

/**
 * Keep a long run from taking memory that does not make it faster. V8 doubles the space for new objects whenever
 * many of them survive, which a pass in batches makes happen now and then, and never gives it back. The option for it,
 * `--max-semi-space-size`, is only heeded when the process starts; a growth by the factor one is heeded at any time.
 */
export const holdYoungSpace = (): void => {
  const observer = new PerformanceObserver(() => {
    if (youngBytes() < YOUNG_BYTES_ENOUGH) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
};

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
