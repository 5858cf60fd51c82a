import { setFlagsFromString } from 'node:v8';
import { holdYoungSpace } from './hold-young-space.ts';

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
  holdYoungSpace();
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
};

let isHeld = false;
