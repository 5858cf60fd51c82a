import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * By default V8 lets the heap grow fourfold before it collects garbage. It may grow by this many bytes, but by no more
 * than the larger and no less than the smaller of these percentages: at 35 all the time, a close takes a tenth longer.
 */
const HEAP_GROWTH_BYTES = 80 * 1024 * 1024;
const HEAP_GROWTH_PERCENT = { most: 100, least: 40 };

/**
 * Keep memory small in a long run over many records. The records of a batch survive a collection or two and are garbage
 * before the next batch. V8 would conclude that such objects live long, and allocate them where only a full collection
 * frees them and all that they refer to. With these settings new objects always start in the young generation.
 */
export const holdMemory = (): void => {
  if (isHeld) return;
  isHeld = true;
  capYoungGeneration(YOUNG_BYTES_ENOUGH);
  setFlagsFromString('--no-allocation-site-pretenuring');
  growHeapBy(HEAP_GROWTH_PERCENT.most);
  new PerformanceObserver((entries) => {
    if (!entries.getEntries().some(isFullCollection)) return;
    const percent = Math.round((100 * HEAP_GROWTH_BYTES) / getHeapStatistics().used_heap_size);
    growHeapBy(Math.max(HEAP_GROWTH_PERCENT.least, Math.min(HEAP_GROWTH_PERCENT.most, percent)));
    giveBackPages();
  }).observe({ entryTypes: ['gc'] });
};

/** Memory of the process, in bytes, from which emptied pages are given back, and how much of them must have come together. */
const RESIDENT_FROM = 400 * 1024 * 1024;
const EMPTIED_MORE = 48 * 1024 * 1024;

/** What the process held beside this heap when pages were given back last; less if it has been less since. */
let besideHeap = 0;

/**
 * Give back to the system what V8 has emptied. It keeps emptied pages of its heap until the process is idle, which a long
 * run never is: of 511 MB that a close of ten million orders held, 267 were such pages (docs/decisions/0027-work-is-divided-without-changing-its-bytes.md).
 */
const giveBackPages = (): void => {
  const beside = besideHeapNow();
  besideHeap = Math.min(besideHeap, beside);
  if (process.memoryUsage.rss() < RESIDENT_FROM || beside < besideHeap + EMPTIED_MORE) return;
  collect ??= collector();
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  besideHeap = besideHeapNow();
};

/** Emptied pages, beside what is outside the heap: code, buffers, other threads. */
const besideHeapNow = (): number => process.memoryUsage.rss() - getHeapStatistics().total_heap_size;

type Collect = (how: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

let collect: Collect | undefined;

/** V8's function that collects garbage. A program has it only in contexts that are made after the option was set. */
const collector = (): Collect | undefined => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('globalThis.gc') as Collect | undefined;
};

const growHeapBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

const isFullCollection = (entry: PerformanceEntry): boolean =>
  (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail.kind ===
  constants.NODE_PERFORMANCE_GC_MAJOR;

let isHeld = false;

/**
 * Keep memory small and pauses short in a process that answers many callers. V8 would collect new objects with further
 * threads and wait for all of them; where every processor is busy, one of them waits for its turn, and all callers with
 * it (docs/decisions/0027-work-is-divided-without-changing-its-bytes.md).
 */
export const holdPauses = (): void => {
  capYoungGeneration(YOUNG_BYTES_ENOUGH);
  setFlagsFromString('--no-parallel-scavenge');
};

/**
 * Size of V8's space for new objects, both halves together, that is enough for a server and for a run over many records:
 * with half of it a close of 30,000 orders takes a twentieth longer, with three times of it 70 MB more.
 */
const YOUNG_BYTES_ENOUGH = 32 * 1024 * 1024;
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
