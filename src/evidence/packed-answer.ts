import {
  type TaxResult,
  UsBreakdown,
  type UsBreakdown as UsFigures,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../contract/tax-result.ts';
import { isUsBreakdown } from '../judge/tax-model.ts';

/** Figures of an answer without their names: the values in the order of the interface. Other fields stay an object. */
type Values = readonly unknown[] | object;

/** An answer of the tax service as a log has it: the names of its many figures would be most of the log. */
export type PackedAnswer = Omit<TaxResult, 'breakdown'> & {
  readonly breakdown?: TaxResult['breakdown'];
  /** The breakdown of a sale in the United States. */
  readonly us?: {
    readonly order: Values;
    readonly lines?: readonly Values[];
    readonly shipping?: Values;
  };
};

const ORDER = namesOf(UsBreakdown).filter((name) => name !== 'shipping' && name !== 'line_items');
const LINE = namesOf(UsLineBreakdown);
const SHIPPING = namesOf(UsShippingBreakdown);

function namesOf({ shape }: { readonly shape: object }): readonly string[] {
  return Object.keys(shape);
}

export const packedAnswer = ({ breakdown, ...result }: TaxResult): PackedAnswer => {
  if (!breakdown) return result;
  if (!isUsBreakdown(breakdown)) return { ...result, breakdown };
  const { shipping, line_items: lines, ...order } = breakdown;
  const us = {
    order: valuesOf(order, ORDER),
    ...(lines && { lines: lines.map((line) => valuesOf(line, LINE)) }),
    ...(shipping && { shipping: valuesOf(shipping, SHIPPING) }),
  };
  return { ...result, us };
};

/** Restores the answer as the service gave it. */
export const unpackedAnswer = ({ us, ...result }: PackedAnswer): TaxResult => {
  if (!us) return result;
  const { order, lines, shipping } = us;
  const breakdown = {
    ...fieldsOf(order, ORDER),
    ...(shipping && { shipping: fieldsOf(shipping, SHIPPING) }),
    ...(lines && { line_items: lines.map((line) => fieldsOf(line, LINE)) }),
  } as UsFigures;
  return { ...result, breakdown };
};

const valuesOf = (fields: object, names: readonly string[]): Values => {
  const own = Object.keys(fields);
  const hasNames = own.length === names.length && names.every((name, index) => name === own[index]);
  return hasNames ? Object.values(fields) : fields;
};

const fieldsOf = (values: Values, names: readonly string[]): object =>
  Array.isArray(values) ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values;
