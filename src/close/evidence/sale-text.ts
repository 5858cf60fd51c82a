import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import { type Place, postingOf, type Sale, type SaleLine } from '../sales/sale.ts';
import type { TaxLine } from '../sales/tax-line.ts';
import {
  countedAnswer,
  derivedFigures,
  figuresFollow,
  markOf,
  type OtherFields,
  otherFieldsOf,
  plainRecordOf,
} from './derivation.ts';
import type { LoggedCalculation, LoggedRecord, LoggedSale, LoggedSubmission } from './logged.ts';
import type { Derivation } from './manifest.ts';
import { type PackedAnswer, packedAnswer, unpackedAnswer } from './packed-answer.ts';

/** The findings of a close about a sale. Digests are in full length. */
export type FoundSale = {
  readonly sale: Sale;
  readonly isFiled: boolean;
  readonly calculation:
    | { readonly digest: string; readonly service: string; readonly result: TaxResult }
    | undefined;
  readonly submission:
    | { readonly digest: string; readonly state: string; readonly detail: string }
    | undefined;
  readonly recorded: LoggedRecord | undefined;
  /** The figures, and their text, which is written if they do not follow from the rest. */
  readonly reconciled: ReconciledSale | undefined;
  readonly figures: () => string;
};

/** A line of the log of sales. It omits everything that follows from the sale and the derivation. */
type Line = {
  readonly sale: PackedSale;
  readonly filed?: true;
  /** The mark of its calculation. */
  readonly asked?: string;
  /** Present if it differs from the service of the period. */
  readonly service?: string;
  readonly answer?: PackedAnswer;
  /** The mark of a recorded body; for one that was not recorded, also the outcome. */
  readonly sent?: string | LoggedSubmission;
  /** The fields of the record that differ from what was sent. */
  readonly recorded?: OtherFields;
  /** Present if it differs from the day of the sale. */
  readonly recordedOn?: string;
  /** Present if they do not follow; `null` if a posted sale has none. */
  readonly figures?: ReconciledSale | null;
};

/** Writes the log line of a sale. */
export const saleText = (found: FoundSale, derivation: Derivation): string => {
  const { sale, isFiled, calculation, submission, recorded } = found;
  let text = `{"sale":${JSON.stringify(packedSale(sale))}`;
  const add = (name: keyof Line, value: unknown): void => {
    text += `,"${name}":${JSON.stringify(value)}`;
  };
  if (isFiled) add('filed', true);
  if (calculation) {
    add('asked', markOf(calculation.digest));
    if (calculation.service !== derivation.service) add('service', calculation.service);
    add('answer', packedAnswer(calculation.result, sale));
  }
  if (submission) {
    const { digest, state, detail } = submission;
    const mark = markOf(digest);
    add('sent', state === 'held' && detail === '' ? mark : { mark, state, detail });
  }
  const figures = found.reconciled ?? null;
  const answer = countedAnswer(calculation?.result, figures);
  const shown = recorded && shownIn(recorded.record, sale, answer, derivation);
  if (recorded && shown) {
    add('recorded', shown.others);
    if (recorded.day !== sale.businessDate) add('recordedOn', recorded.day);
  }
  if (postingOf(sale) !== 'posted') return `${text}}`;
  if (figures && shown && !isFiled && figuresFollow(figures, sale, answer, shown)) return `${text}}`;
  return `${text},"figures":${found.figures() || 'null'}}`;
};

const shownIn = (
  record: Order | Refund,
  sale: Sale,
  answer: TaxResult | undefined,
  derivation: Derivation,
) => {
  const plain = plainRecordOf(sale, answer, derivation);
  return { record, plain, others: otherFieldsOf(record, plain) };
};

/** Reads a line of the log of sales and derives what it omits. */
export const readSale = (line: unknown, derivation: Derivation): LoggedSale => {
  const { sale: packed, filed, sent, recorded: others, recordedOn, figures, ...asked } = line as Line;
  const sale = unpackedSale(packed);
  const posting = postingOf(sale);
  const calculation = calculationIn(asked, sale, derivation);
  const answer = countedAnswer(calculation?.result, figures ?? null);
  const plain = plainRecordOf(sale, answer, derivation);
  const record = others && ({ ...plain, ...others } as Order | Refund);
  const derived =
    figures === undefined && posting === 'posted'
      ? derivedFigures(sale, answer, { record, plain })
      : undefined;
  return {
    sale,
    posting,
    isFiled: filed === true,
    calculation,
    submission: typeof sent === 'string' ? { mark: sent, state: 'held', detail: '' } : sent,
    recorded: record && { day: recordedOn ?? sale.businessDate, record },
    reconciled: derived ?? figures ?? null,
    figuresHold:
      derived === undefined ||
      (record !== undefined &&
        others !== undefined &&
        figuresFollow(derived, sale, answer, { record, plain, others })),
  };
};

const calculationIn = (
  { asked: mark, service, answer }: Pick<Line, 'asked' | 'service' | 'answer'>,
  sale: Sale,
  derivation: Derivation,
): LoggedCalculation | undefined =>
  mark === undefined || answer === undefined
    ? undefined
    : { mark, service: service ?? derivation.service, result: unpackedAnswer(answer, sale) };

/** A sale as stored in a log, without fields that have their usual value or that its key contains. */
type PackedSale = Readonly<Record<string, unknown>> & { readonly key: string };

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
  findings: [],
  rows: 1,
};
const PLACE: Partial<Place> = { country: 'US' };
const LINE: Partial<SaleLine> = { quantity: 1, discount: 0 as SaleLine['discount'], taxCode: null };
const TAX_LINE: Partial<TaxLine> = { rate: null, kind: null };

/** Returns the usual ID of a line item: numbered from 1, unless the export has other IDs. */
const positionOf = (index: number): string => String(index + 1);

const packedSale = (sale: Sale): PackedSale => {
  const kept: Record<string, unknown> = without(sale, {
    ...SALE,
    ...partsOf(sale.key),
    taxDate: sale.businessDate,
  });
  kept['shipTo'] = without(sale.shipTo, PLACE);
  if (sale.taxLines.length > 0) kept['taxLines'] = sale.taxLines.map((line) => without(line, TAX_LINE));
  if (sale.lines.length > 0)
    kept['lines'] = sale.lines.map((line, index) => without(line, { ...LINE, id: positionOf(index) }));
  return kept as PackedSale;
};

/** Restores the sale; its fields may be in another order. */
const unpackedSale = (packed: PackedSale): Sale => {
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

/** Splits a key `<channel>/<kind>/<id>`: channel names do not contain a slash. */
const partsOf = (key: string) => {
  const first = key.indexOf('/');
  const second = key.indexOf('/', first + 1);
  const kind = key.slice(first + 1, second) as Sale['kind'];
  return { channel: key.slice(0, first), kind, id: key.slice(second + 1) };
};

/** Returns the fields that differ from their usual value. */
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
