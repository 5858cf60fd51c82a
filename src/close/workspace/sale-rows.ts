import { versionDigest } from '../../kernel/digest.ts';
import type { Money } from '../../kernel/money.ts';
import { isPosted, postingOf, type Sale, type SetAside } from '../sales/sale.ts';
import { contentText, positionText } from '../sales/sale-text.ts';
import type { SaleWithText } from './put-sales.ts';
import type { SetAsideRow } from './tables.ts';

/** The entity and channel of a record, and the load that found it. */
export type RowOwner = { readonly entity: string; readonly channel: string; readonly load: number };

/** The columns of a row that are not part of the sale itself. */
export type SaleExtras = {
  /** Only for an order: the amount refunded so far, tax included. */
  readonly refunded: Money;
  /** The position of its file in reading order; null when it was derived from an order and its repayments. */
  readonly file: number | null;
  /** The control totals of its rows; empty for a sale that is not in a file. */
  readonly controls: string;
};

/** The columns of a row that are not part of the set-aside record itself. */
export type AsideExtras = { readonly key: string; readonly controls: string };

/** Returns the row and the text of a sale. Its digest covers its content and the refunded amount, but not its place. */
export const saleRow = (
  { entity, load }: RowOwner,
  sale: Sale,
  { refunded, file, controls }: SaleExtras,
): SaleWithText => {
  const text = contentText(sale);
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
    line: file === null ? null : sale.origin.line,
    outcome: rowOutcome(sale),
    controls,
  };
  return { row, text: `${text},${positionText(sale)}` };
};

const rowOutcome = ({ outcome, findings }: Sale): string => {
  if (!findings.some(isPosted)) return outcome;
  return outcome === 'review' ? 'posted in part' : 'posted';
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
