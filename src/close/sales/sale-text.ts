import type { Sale } from './sale.ts';

/** The content of a sale without its name, which is its key, and without its position in the export. */
type SaleContent = Omit<Sale, 'key' | 'channel' | 'kind' | 'id' | 'origin' | 'rows'>;

/** Fields in the order of their list: a name for a plain value, with a layout for an object or a list of them. */
type Layout = readonly (string | readonly [name: string, of: Layout])[];

const PLACE: Layout = ['city', 'country', 'state', 'street', 'zip'];
const LINE: Layout = ['id', 'sku', 'description', 'quantity', 'unitPrice', 'discount', 'taxCode'];
const TAX_LINE: Layout = ['name', 'rate', 'amount', 'kind', 'place'];
const PART: Layout = [
  'amount',
  'shipping',
  ['lines', LINE],
  'salesTax',
  ['taxLines', TAX_LINE],
  'positions',
  ['before', ['shipping', 'goods', 'salesTax']],
];
const CONTENT: Layout = [
  'amount',
  'businessDate',
  'currency',
  'customerId',
  'exemptionType',
  ['findings', ['code', 'message', 'column', 'holds']],
  'instant',
  ['lines', LINE],
  'marketplaceTax',
  'notSold',
  'outcome',
  ['partOf', PART],
  'reference',
  'salesTax',
  ['shipTo', PLACE],
  'shipping',
  'taxDate',
  ['taxLines', TAX_LINE],
  // Few sales have these.
  'orderUtcDate',
  ['stateFees', [...TAX_LINE, 'isLine']],
  'inPerson',
  ['asRead', ['salesTax', 'marketplaceTax', 'exemptionType']],
  'refundedWithoutTax',
];

/** Fields that say nothing with `null`; any other is absent where its list has `null`. */
const MAY_BE_NULL = new Set(['customerId', 'exemptionType', 'reference', 'taxCode', 'rate', 'kind']);
/** Fields with a list of objects. */
const LISTS = new Set(['findings', 'lines', 'taxLines', 'stateFees']);

type Fields = Record<string, unknown>;
type List = readonly unknown[];

/** How one kind of object becomes a list without what is absent at its end, and an object again. */
type Packing = { readonly listOf: (fields: Fields) => List; readonly fieldsOf: (list: List) => Fields };

/** Compile a layout once: most of the time of a close goes by in these loops. */
const packing = (layout: Layout): Packing => {
  const fields = layout.map((field) => {
    const [name, of] = typeof field === 'string' ? [field] : field;
    return { name, of: of && packing(of), mayBeNull: MAY_BE_NULL.has(name), isList: LISTS.has(name) };
  });
  return {
    listOf: (given) => {
      const list: unknown[] = [];
      let length = 0;
      for (const { name, of, isList } of fields) {
        const value = given[name] ?? null;
        if (value === null || !of) list.push(value);
        else list.push(isList ? (value as Fields[]).map(of.listOf) : of.listOf(value as Fields));
        if (value !== null) length = list.length;
      }
      list.length = length;
      return list;
    },
    fieldsOf: (list) => {
      const given: Fields = {};
      let index = 0;
      for (const { name, of, isList, mayBeNull } of fields) {
        const value = list[index] ?? null;
        index += 1;
        if (value === null) {
          if (mayBeNull) given[name] = null;
        } else if (!of) given[name] = value;
        else given[name] = isList ? (value as List[]).map(of.fieldsOf) : of.fieldsOf(value as List);
      }
      return given;
    },
  };
};

const content = packing(CONTENT);

/**
 * Returns the content of a sale as a JSON list of its values, which is a third as long as an object and takes less
 * time to read. The same content has the same text.
 */
export const contentText = (sale: SaleContent): string => {
  const taxDate = sale.taxDate === sale.businessDate ? null : sale.taxDate;
  return JSON.stringify(content.listOf({ ...sale, taxDate }));
};
