import { setFlagsFromString } from 'node:v8';
import { holdYoungSpace } from './hold-young-space.ts';

/** Left alone V8 lets the heap double or more before it looks for what nobody needs any more. */
const HEAP_GROWTH_PERCENT = 35;

/** Keep a long run over many records small, for a few percent more processor time. */
export const holdMemory = (): void => {
  holdYoungSpace();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
};
