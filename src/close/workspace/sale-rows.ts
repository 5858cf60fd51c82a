import { versionDigest } from '../../kernel/digest.ts';
import type { Money } from '../../kernel/money.ts';
import { postingOf, type Sale, type SetAside } from '../sales/sale.ts';
import { contentText } from '../sales/sale-text.ts';
import type { SaleWithText } from './put-sales.ts';
import type { SetAsideRow } from './tables.ts';

/** Whose record it is, and which load of which channel saw it. */
export type RowOwner = { readonly entity: string; readonly channel: string; readonly load: number };

/** What a row says beside the sale itself. */
export type SaleExtras = {
  /** Of an order: what was given back so far, tax included. */
  readonly refunded: Money;
  /** The place of its file in the order of reading; null when it was worked out from an order and its repayments. */
  readonly file: number | null;
  /** What its rows come to; empty for what stands in no file. */
  readonly controls: string;
};

/** What a row says beside the set-aside record itself. */
export type AsideExtras = { readonly key: string; readonly controls: string };

/** A sale as its row and its text. Its digest covers what it says and what was given back of it, not where it was found. */
export const saleRow = (
  { entity, load }: RowOwner,
  sale: Sale,
  { refunded, file, controls }: SaleExtras,
): SaleWithText => {
  const { origin, rows, ...content } = sale;
  const text = contentText(content);
  const row = {
    entity,
    key: sale.key,
    business_date: sale.businessDate,
    instant: sale.instant,
    posting: postingOf(sale),
    digest: versionDigest(`${refunded} ${text}`),
    reference: sale.reference ?? '',
    refunded,
    load,
    file,
    line: file === null ? null : origin.line,
    outcome: sale.outcome,
    controls,
  };
  return { row, text: `${text.slice(0, -1)},"origin":${JSON.stringify(origin)},"rows":${rows}}` };
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
  gone: 0,
});

/** The record of a row. Of one that is gone the file says so: it has no such line any more. */
export const setAsideOf = ({ body, gone }: Pick<SetAsideRow, 'body' | 'gone'>): SetAside => {
  const aside = JSON.parse(body) as SetAside;
  if (gone === 0) return aside;
  return { ...aside, origin: { ...aside.origin, file: `${aside.origin.file} (as read before)` } };
};
