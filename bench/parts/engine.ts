import { drawOrder, OCTOBER } from '../month/draw-order.ts';
import { calculated, requestOf } from '../month/shop-tax.ts';
import { measured, sizeAsked } from './cost.ts';

/** Calculations of orders of the month, jurisdictions and lines included, each accepted as a request first. */
const DISTINCT = 2_000;
const calculations = sizeAsked();
const requests = Array.from({ length: DISTINCT }, (_, index) => requestOf(drawOrder(index, DISTINCT)));

await measured('engine', { rows: calculations, unit: 'calculations' }, () => {
  for (let index = 0; index < calculations; index += 1) {
    const request = requests[index % DISTINCT];
    if (request) calculated(request, OCTOBER.first);
  }
});
