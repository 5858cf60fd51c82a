import { certificateMark } from '../certificates/certificate.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type Money, money, subtract, ZERO } from '../kernel/money.ts';
import type { Posting, Sale } from '../sales/sale.ts';
import type { LevelFigures } from './level-figures.ts';
import type { SharedRate } from './rate-claim.ts';
import type { Reason } from './reason.ts';
import type { ReconciledSale, Status } from './reconciled-sale.ts';

/** The status of a sale that a decision keeps out of the month. */
export const LEFT_OUT = 'decided: left out';

/** One row of the sheet Detail: a sale with its three figures. Amounts of refunds are negative. */
export type DetailRow = {
  readonly key: string;
  readonly channel: string;
  readonly kind: 'order' | 'refund';
  readonly id: string;
  readonly reference: string;
  readonly record: string;
  readonly file: string;
  readonly line: number;
  readonly businessDate: CalendarDate;
  readonly state: string;
  readonly country: string;
  readonly city: string;
  readonly zip: string;
  readonly isPosted: boolean;
  /** Goods and shipping without tax. */
  readonly gross: Money;
  readonly shipping: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  readonly recorded: Money;
  readonly isRecorded: boolean;
  readonly hasNexus: boolean;
  readonly taxSource: string;
  readonly reasons: readonly Reason[];
  readonly shared: SharedRate | undefined;
  readonly levels: readonly LevelFigures[];
  /** The exemption type; empty for a sale that is not exempt. */
  readonly exemption: string;
  /** Name of the supporting certificate, or `(none)`; empty for a sale that is not exempt. */
  readonly certificate: string;
  /** Tax that the exemption relieves; `undefined` if the sale is not exempt or the tax is unknown. */
  readonly relieved: Money | undefined;
  readonly status: Status | Exclude<Posting, 'posted'> | typeof LEFT_OUT;
  readonly detail: string;
};

/** The part of a row that the workbooks list; the rest only goes into totals. */
export type DetailLine = Omit<DetailRow, 'levels' | 'shared' | 'taxSource' | 'isRecorded'>;

export const detailLineOf = ({ levels, shared, taxSource, isRecorded, ...row }: DetailRow): DetailLine => row;

/** The row of a sale. A sale that is not posted shows its amounts but adds no tax to any total. */
export const detailRowOf = (
  sale: Sale,
  posting: Posting,
  reconciled: ReconciledSale | undefined,
): DetailRow => {
  const sign = sale.kind === 'refund' ? -1 : 1;
  const signed = (amount: Money): Money => money(sign * amount);
  const isPosted = posting === 'posted';
  return {
    key: sale.key,
    channel: sale.channel,
    kind: sale.kind,
    id: sale.id,
    reference: sale.reference ?? '',
    record: sale.origin.record,
    file: sale.origin.file,
    line: sale.origin.line,
    businessDate: sale.businessDate,
    state: sale.shipTo.state,
    country: sale.shipTo.country,
    city: sale.shipTo.city,
    zip: sale.shipTo.zip,
    isPosted,
    gross: signed(sale.amount),
    shipping: signed(sale.shipping),
    taxable: reconciled?.taxable ?? ZERO,
    collected: signed(sale.salesTax),
    expected: reconciled?.expected ?? ZERO,
    recorded: reconciled?.recorded ?? ZERO,
    isRecorded: reconciled?.recorded !== undefined && reconciled.recorded !== null,
    hasNexus: reconciled?.hasNexus ?? false,
    taxSource: reconciled?.taxSource ?? '',
    reasons: reconciled?.reasons ?? [],
    shared: reconciled?.shared,
    levels: reconciled?.levels ?? [],
    exemption: reconciled?.exemption?.type ?? sale.exemptionType ?? '',
    certificate: reconciled?.exemption ? certificateMark(reconciled.exemption) : '',
    relieved: reconciled?.exemption?.relieved ?? undefined,
    status: isPosted ? (reconciled?.status ?? 'not calculated') : posting,
    detail: reconciled?.detail ?? sale.findings.map(({ message }) => message).join('; '),
  };
};

/** Collected minus expected: positive if too much was charged. */
export const varianceOf = (row: Pick<DetailRow, 'collected' | 'expected'>): Money =>
  subtract(row.collected, row.expected);
