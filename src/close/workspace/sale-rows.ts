import { digestOf } from '../../kernel/digest.ts';
import type { Money } from '../../kernel/money.ts';
import { postingOf, type Sale, type SetAside } from '../sales/sale.ts';
import type { SaleWithText } from './put-sales.ts';
import type { SetAsideRow } from './tables.ts';

/** Whose record it is, and which load of which channel saw it. */
export type RowOwner = { readonly entity: string; readonly channel: string; readonly load: string };

/** What a row says beside the sale itself. */
export type SaleExtras = {
  /** Of an order: what was given back so far, tax included. */
  readonly refunded: Money;
  /** Whether it was worked out from an order and its repayments instead of read from a file. */
  readonly isDerived: boolean;
  /** What its rows come to; empty for what stands in no file. */
  readonly controls: string;
};

/** What a row says beside the set-aside record itself. */
export type AsideExtras = { readonly key: string; readonly controls: string };

/** A sale as its row and its text. Its digest covers what it says, not where it was found. */
export const saleRow = (
  owner: RowOwner,
  sale: Sale,
  { refunded, isDerived, controls }: SaleExtras,
): SaleWithText => {
  const { origin, rows, ...content } = sale;
  const row = {
    entity: owner.entity,
    key: sale.key,
    channel: sale.channel,
    kind: sale.kind,
    id: sale.id,
    business_date: sale.businessDate,
    instant: sale.instant,
    posting: postingOf(sale),
    digest: digestOf({ ...content, refunded }),
    reference: sale.reference ?? '',
    refunded,
    derived: isDerived ? 1 : 0,
    load: owner.load,
    file: origin.file,
    line: origin.line,
    outcome: sale.outcome,
    controls,
  };
  return { row, text: JSON.stringify({ ...content, origin, rows }) };
};

export const setAsideRow = (
  owner: RowOwner,
  aside: SetAside,
  { key, controls }: AsideExtras,
): SetAsideRow => ({
  entity: owner.entity,
  channel: owner.channel,
  file: aside.origin.file,
  line: aside.origin.line,
  record: aside.origin.record,
  outcome: aside.outcome,
  code: aside.reason.code,
  business_date: aside.businessDate,
  body: JSON.stringify(aside),
  key,
  controls,
});
