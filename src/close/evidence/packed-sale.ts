import type { Place, Sale, SaleLine } from '../sales/sale.ts';
import type { TaxLine } from '../sales/tax-line.ts';

/** A sale as a log has it: fields that have their usual value are left out, and so is what its key says. */
export type PackedSale = Readonly<Record<string, unknown>> & { readonly key: string };

const SALE: Partial<Sale> = {
  reference: null,
  currency: 'USD',
  shipping: 0 as Sale['shipping'],
  marketplaceTax: 0 as Sale['marketplaceTax'],
  taxLines: [],
  exemptionType: null,
  customerId: null,
  lines: [],
  outcome: 'accepted',
  remarks: [],
  rows: 1,
};
const PLACE: Partial<Place> = { country: 'US' };
const LINE: Partial<SaleLine> = { quantity: 1, discount: 0 as SaleLine['discount'], taxCode: null };
const TAX_LINE: Partial<TaxLine> = { rate: null, kind: null };

/** Line items are numbered from 1 unless the export names them otherwise. */
const positionOf = (index: number): string => String(index + 1);

export const packedSale = (sale: Sale): PackedSale => ({
  ...without(sale, { ...SALE, ...partsOf(sale.key), taxDate: sale.businessDate }),
  key: sale.key,
  shipTo: without(sale.shipTo, PLACE),
  ...(sale.taxLines.length > 0 && { taxLines: sale.taxLines.map((line) => without(line, TAX_LINE)) }),
  ...(sale.lines.length > 0 && {
    lines: sale.lines.map((line, index) => without(line, { ...LINE, id: positionOf(index) })),
  }),
});

/** The same sale; its fields may stand in another order. */
export const unpackedSale = (packed: PackedSale): Sale => {
  const { shipTo, lines = [], taxLines = [], ...rest } = packed as Partial<Sale>;
  return {
    ...SALE,
    ...partsOf(packed.key),
    taxDate: rest.businessDate,
    ...rest,
    shipTo: { ...PLACE, ...shipTo },
    taxLines: taxLines.map((line) => ({ ...TAX_LINE, ...line })),
    lines: lines.map((line, index) => ({ ...LINE, ...line, id: line.id ?? positionOf(index) })),
  } as Sale;
};

/** `<channel>/<kind>/<id>`: no channel has a slash in its name. */
const partsOf = (key: string) => {
  const first = key.indexOf('/');
  const second = key.indexOf('/', first + 1);
  const kind = key.slice(first + 1, second) as Sale['kind'];
  return { channel: key.slice(0, first), kind, id: key.slice(second + 1) };
};

/** The fields that do not have their usual value. */
const without = <Item extends object>(item: Item, usual: Partial<Item>): Partial<Item> => {
  const kept: Partial<Item> = {};
  for (const name in item) {
    const value = item[name];
    const other = usual[name];
    if (value === other || (Array.isArray(other) && Array.isArray(value) && value.length === 0)) continue;
    kept[name] = value;
  }
  return kept;
};
