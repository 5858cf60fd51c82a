import type { RefundedPart, Sale, SaleFinding } from './sale.ts';
import type { TaxLine } from './tax-line.ts';

/** The content of a sale without its name, which is its key, and without its position in the export. */
type SaleContent = Omit<Sale, 'key' | 'channel' | 'kind' | 'id' | 'origin' | 'rows'>;

/**
 * Returns the content of a sale as a JSON list of its values, which is a third as long as an object and takes less
 * time to read. The same content has the same text.
 */
export const contentText = (sale: SaleContent): string => {
  const content = [
    sale.amount,
    sale.businessDate,
    sale.currency,
    sale.customerId,
    sale.exemptionType,
    sale.findings.map(findingList),
    sale.instant,
    sale.lines.map(lineList),
    sale.marketplaceTax,
    sale.notSold ?? null,
    sale.outcome,
    sale.partOf ? partList(sale.partOf) : null,
    sale.reference,
    sale.salesTax,
    [sale.shipTo.city, sale.shipTo.country, sale.shipTo.state, sale.shipTo.street, sale.shipTo.zip],
    sale.shipping,
    sale.taxDate === sale.businessDate ? null : sale.taxDate,
    sale.taxLines.map(taxLineList),
  ] as const satisfies ContentList;
  return JSON.stringify([...content, ...rareOf(sale)] satisfies ContentList);
};

/** Returns what few sales have, up to the last one that this sale has. */
const rareOf = (sale: SaleContent): RareList => {
  const { orderUtcDate, stateFees, inPerson, asRead, refundedWithoutTax } = sale;
  const tax = asRead && ([asRead.salesTax, asRead.marketplaceTax, asRead.exemptionType] as const);
  const rare = [orderUtcDate, feeLists(stateFees), inPerson, tax, refundedWithoutTax] as const;
  const last = rare.findLastIndex((value) => value !== undefined && value !== null);
  return rare.slice(0, last + 1).map((value) => value ?? null) as unknown as RareList;
};

const feeLists = (stateFees: Sale['stateFees']): readonly TaxLineList[] | null =>
  stateFees ? stateFees.map(taxLineList) : null;

/** Returns the position of a sale in its export as a JSON list. */
export const positionText = ({ origin, rows }: SalePosition): string => {
  const { file, line, record, store, report, instant } = origin;
  const position = [file, line, record, rows] as const;
  const isPlain = store === undefined && report === undefined && instant === undefined;
  return JSON.stringify(
    (isPlain
      ? position
      : [...position, store ?? null, report ?? null, instant ?? null]) satisfies PositionList,
  );
};

type SalePosition = Pick<Sale, 'origin' | 'rows'>;

/** Returns the sale of this name whose content and position were written as these lists. */
export const saleOfLists = (
  { key, channel, kind, id }: Pick<Sale, 'key' | 'channel' | 'kind' | 'id'>,
  content: ContentList,
  [file, line, record, rows, store = null, report = null, at = null]: PositionList,
): Sale => {
  const [amount, businessDate, currency, customerId, exemptionType, findings, instant, lines] = content;
  const [city, country, state, street, zip] = content[14];
  const sale: Writable<Sale> = {
    key,
    channel,
    kind,
    id,
    reference: content[12],
    instant,
    businessDate,
    taxDate: content[16] ?? businessDate,
    shipTo: { country, state, zip, city, street },
    currency,
    amount,
    shipping: content[15],
    salesTax: content[13],
    marketplaceTax: content[8],
    taxLines: content[17].map(taxLineOf),
    exemptionType,
    customerId,
    lines: lines.map(lineOf),
    outcome: content[10],
    findings: findings.map(findingOf),
    origin: {
      file,
      line,
      record,
      ...(store !== null && { store }),
      ...(report !== null && { report }),
      ...(at !== null && { instant: at }),
    },
    rows,
  };
  if (content[9] !== null) sale.notSold = content[9];
  if (content[11] !== null) sale.partOf = partOf(content[11]);
  const [orderUtcDate, stateFees, inPerson] = [content[18] ?? null, content[19] ?? null, content[20]];
  const [asRead, refundedWithoutTax] = [content[21], content[22]];
  if (orderUtcDate !== null) sale.orderUtcDate = orderUtcDate;
  if (stateFees !== null) sale.stateFees = stateFees.map(taxLineOf);
  if (inPerson) sale.inPerson = inPerson;
  if (refundedWithoutTax) sale.refundedWithoutTax = refundedWithoutTax;
  if (asRead) sale.asRead = { salesTax: asRead[0], marketplaceTax: asRead[1], exemptionType: asRead[2] };
  return sale;
};

type Writable<Item> = { -readonly [Name in keyof Item]: Item[Name] };

type Line = Sale['lines'][number];
type LineList = readonly [
  id: Line['id'],
  sku: Line['sku'],
  description: Line['description'],
  quantity: Line['quantity'],
  unitPrice: Line['unitPrice'],
  discount: Line['discount'],
  taxCode: Line['taxCode'],
];
type TaxLineList = readonly [
  name: TaxLine['name'],
  rate: TaxLine['rate'],
  amount: TaxLine['amount'],
  kind: TaxLine['kind'],
  place: TaxLine['place'],
];
type FindingList = readonly [
  code: string,
  message: string,
  column: string | null,
  holds?: NonNullable<SaleFinding['holds']>,
];
type Before = NonNullable<RefundedPart['before']>;
type PartList = readonly [
  amount: RefundedPart['amount'],
  shipping: RefundedPart['shipping'],
  lines: readonly LineList[],
  salesTax: RefundedPart['salesTax'],
  taxLines: readonly TaxLineList[] | null,
  positions: readonly number[],
  before:
    | readonly [shipping: Before['shipping'], goods: Before['goods'], salesTax: Before['salesTax']]
    | null,
];
type PlaceList = readonly [city: string, country: string, state: string, street: string, zip: string];

/**
 * The values that only some refunds, orders with a fee of a state, sales in person, sales whose tax a person decided
 * about, and orders that state a refund without its tax have.
 */
type RareList = readonly [
  orderUtcDate?: NonNullable<Sale['orderUtcDate']> | null,
  stateFees?: readonly TaxLineList[] | null,
  inPerson?: true | null,
  asRead?:
    | readonly [
        salesTax: Sale['salesTax'],
        marketplaceTax: Sale['marketplaceTax'],
        exemptionType: Sale['exemptionType'],
      ]
    | null,
  refundedWithoutTax?: true | null,
];

/** The values of a sale's content, in the order of the names of its fields, and those that few sales have. */
export type ContentList = readonly [
  amount: Sale['amount'],
  businessDate: Sale['businessDate'],
  currency: string,
  customerId: Sale['customerId'],
  exemptionType: Sale['exemptionType'],
  findings: readonly FindingList[],
  instant: Sale['instant'],
  lines: readonly LineList[],
  marketplaceTax: Sale['marketplaceTax'],
  notSold: NonNullable<Sale['notSold']> | null,
  outcome: Sale['outcome'],
  partOf: PartList | null,
  reference: Sale['reference'],
  salesTax: Sale['salesTax'],
  shipTo: PlaceList,
  shipping: Sale['shipping'],
  taxDate: Sale['taxDate'] | null,
  taxLines: readonly TaxLineList[],
  ...rare: RareList,
];

/** The values of a sale's position in its export. */
export type PositionList = readonly [
  file: string,
  line: number,
  record: string,
  rows: number,
  store?: string | null,
  report?: string | null,
  instant?: Sale['instant'] | null,
];

const lineList = ({ id, sku, description, quantity, unitPrice, discount, taxCode }: Line): LineList => [
  id,
  sku,
  description,
  quantity,
  unitPrice,
  discount,
  taxCode,
];

const lineOf = ([id, sku, description, quantity, unitPrice, discount, taxCode]: LineList): Line => ({
  id,
  sku,
  description,
  quantity,
  unitPrice,
  discount,
  taxCode,
});

const taxLineList = ({ name, rate, amount, kind, place }: TaxLine): TaxLineList => [
  name,
  rate,
  amount,
  kind,
  place,
];

const taxLineOf = ([name, rate, amount, kind, place]: TaxLineList): TaxLine => ({
  name,
  rate,
  amount,
  kind,
  place,
});

const findingList = ({ code, column, message, holds }: SaleFinding): FindingList =>
  holds ? [code, message, column ?? null, holds] : [code, message, column ?? null];

const findingOf = ([code, message, column, holds]: FindingList): SaleFinding => ({
  code,
  message,
  ...(column !== null && { column }),
  ...(holds && { holds }),
});

const partList = ({
  amount,
  shipping,
  lines,
  salesTax,
  taxLines,
  positions,
  before,
}: RefundedPart): PartList => [
  amount,
  shipping,
  lines.map(lineList),
  salesTax,
  taxLines ? taxLines.map(taxLineList) : null,
  positions,
  before ? [before.shipping, before.goods, before.salesTax] : null,
];

const partOf = ([
  amount,
  shipping,
  lines,
  salesTax,
  taxLines,
  positions,
  before,
]: PartList): RefundedPart => ({
  amount,
  shipping,
  lines: lines.map(lineOf),
  salesTax,
  ...(taxLines && { taxLines: taxLines.map(taxLineOf) }),
  positions,
  ...(before && { before: { shipping: before[0], goods: before[1], salesTax: before[2] } }),
});
