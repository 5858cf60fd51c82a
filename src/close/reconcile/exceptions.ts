import { utcDateOf } from '../../kernel/calendar.ts';
import type { Finding, Origin, Severity } from '../../kernel/finding.ts';
import { add, formatMoney, type Money, money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { Decision, Verdict } from '../decisions/decision.ts';
import { isHolding, isPosted, type Sale, type SaleFinding, type SetAside } from '../sales/sale.ts';
import type { FieldDifference } from './compare-record.ts';
import type { DetailRow } from './detail-row.ts';
import { isPostedAsSellers } from './finding.ts';

import type { RateClaim, SharedRate } from './rate-claim.ts';
import { partOf, REASONS, type ReasonCode } from './reason.ts';
import type { ReconciledSale } from './reconciled-sale.ts';

/** A finding of the close with the tax at stake and the decision about it. */
export type Exception = Finding & {
  /** The record name as all sheets and files show it. */
  readonly record: string;
  /** The channel of the record; absent where it is of none. */
  readonly channel?: string;
  readonly state: string;
  /**
   * Collected tax above (positive) or below (negative) the returns: positive if too much was charged, or if a sale that
   * is kept out would add to a return.
   */
  readonly effect: Money;
  /** Reason why a person accepted it; empty while it is open. */
  readonly accepted: string;
  readonly decision?: Decision;
  /** The rate that the sale shares with others, if that is the reason. */
  readonly shared?: SharedRate;
  /** Whether it is kept out of the period: a `sale` whose tax is known, or a `row` whose tax is not. */
  readonly held?: 'sale' | 'row';
  /** What a person answers about its record as it is stated now. */
  readonly asked?: Asked;
  /** Whether a return of the period takes the tax, although nothing was due. */
  readonly isReturned?: boolean;
  /** The tax collected, for a sale that is unexplained or set by hand: a decision to set it by hand names this tax. */
  readonly tax?: Money;
  /** Number of further exceptions of its cause that it stands for, with their total: see `exceptionList`. */
  readonly standsFor?: number;
};

/** A question about what is stated of one record: an answer holds until something else is stated. */
export type Asked = {
  readonly code: string;
  /** The key of the sale, or the name of the record at the service. */
  readonly key: string;
  /** Digest of what is stated, 16 hex digits. */
  readonly stated: string;
  readonly choices: readonly Verdict[];
};

/** Count exceptions, including those that others stand for. */
export const countOf = (exceptions: readonly Pick<Exception, 'standsFor'>[]): number =>
  exceptions.reduce((count, { standsFor = 1 }) => count + standsFor, 0);

/** An exception without its decision. */
export type DraftException = Omit<Exception, 'accepted' | 'decision' | 'record'> & {
  /** The record's name in Detail, if it differs from the name in the source. */
  readonly record?: string;
};

/** Whether it is a rate that the tax content lacks: a limit of Tieout, not an error of the seller. */
export const isGap = ({ code }: Pick<Exception, 'code'>): boolean =>
  code in REASONS && partOf(code as ReasonCode) === 'gap';

/** Whether it is a missing rate that has not been accepted. */
export const isUndecidedGap = (exception: Exception): boolean =>
  isGap(exception) && exception.accepted === '';

/** Whether the tax at stake is known; it is not for a row that does not state it. */
export const isEffectKnown = ({ held }: Pick<Exception, 'held'>): boolean => held !== 'row';

/** Whether it keeps the close from being clean: an error that has not been accepted. */
export const isOpen = ({ severity, accepted }: Exception): boolean => severity === 'error' && accepted === '';

export const isAccepted = ({ accepted }: Exception): boolean => accepted !== '';

/** All exceptions of one sale of the period. `isDue`: the seller owes the tax of the sale. */
export const exceptionsOfSale = (
  row: DetailRow,
  sale: Sale,
  differences: readonly FieldDifference[],
  {
    period,
    isDue,
    inUse,
  }: { readonly period: FilingPeriod; readonly isDue: boolean; readonly inUse?: Asked | undefined },
): readonly DraftException[] => {
  const origin: Origin = { file: row.file, line: row.line, record: row.record };
  const at = { origin, record: row.id, channel: row.channel, state: row.state };
  const isCalculated = row.status !== 'not calculated';
  const drafts: DraftException[] = (isCalculated ? row.reasons : []).map(({ code, amount, proof }) => ({
    ...at,
    severity: code === 'R99' ? 'error' : 'warning',
    code,
    message: `${REASONS[code].name}: ${code === 'R99' ? `collected ${formatMoney(row.collected)}, due ${formatMoney(row.expected)}; ` : ''}${proof}`,
    effect: amount,
    ...(isDecidedByTax(code) && { tax: money(Math.abs(row.collected)) }),
    ...(row.shared && RATE_REASONS.has(code) && { shared: row.shared }),
  }));
  const note = (severity: Severity, code: string, message: string, effect: Money = ZERO) =>
    drafts.push({ ...at, severity, code, message, effect });

  drafts.push(...exceptionsOfFindings(sale, { ...at, effect: heldTax(row, sale) }));
  if (row.status === 'foreign')
    note('notice', 'foreign', `shipped to the country ${row.country}: outside US filing, not posted`);
  if (sale.currency !== 'USD') note(...currencyNote(row, sale, isDue));
  if (!isCalculated)
    note(
      'error',
      'not-calculated',
      row.detail || 'the service gave no calculation',
      sum(row.reasons.map(({ amount }) => amount)),
    );
  if (row.status === 'not recorded') {
    const message = row.detail || REASONS.R19.meaning;
    const effect = money(-row.collected);
    if (inUse) drafts.push({ ...at, severity: 'error', code: inUse.code, message, effect, asked: inUse });
    else note('error', 'R19', message, effect);
  }
  for (const { field, sent, recorded, kind } of differences) {
    if (kind === 'value')
      note(
        'error',
        'recorded-otherwise',
        `${field} was sent as "${sent}" and is recorded as "${recorded}"; once it is deleted there, it is sent again`,
      );
  }
  if (row.isPosted) noteEdge(row, sale, period, note);
  return drafts;
};

/** The tax that would be on a return if a held sale were posted. */
const heldTax = ({ collected }: DetailRow, { kind, findings, marketplaceTax }: Sale): Money => {
  const reason = findings.find((finding) => !isPosted(finding));
  if (!reason || !isHolding(reason) || !isPostedAsSellers(reason.code)) return collected;
  return add(collected, kind === 'refund' ? negate(marketplaceTax) : marketplaceTax);
};

/** Whether a decision about such an exception names the tax that it is about. */
export const isDecidedByTax = (code: string): boolean => code === 'R99' || code === 'R23';

/** Whether a decision that names a tax holds for exactly this tax. */
export const isDecidedAtTax = (code: string): boolean => isDecidedByTax(code) || DECIDED_AT_TAX.has(code);

const DECIDED_AT_TAX: ReadonlySet<string> = new Set(['possible-double', 'ledger-difference']);

/**
 * The exceptions for what reading found about a sale. The first finding of a held sale that was not decided is the
 * reason, with its effect; a further one for which it is held as well can be decided like it.
 */
export const exceptionsOfFindings = (
  { findings, outcome }: Pick<Sale, 'findings' | 'outcome'>,
  { effect, ...at }: Pick<DraftException, 'origin' | 'record' | 'channel' | 'state' | 'effect'>,
): readonly DraftException[] => {
  const reason = outcome === 'review' ? findings.find((finding) => !isPosted(finding)) : undefined;
  return findings.map((remark) => ({
    ...at,
    code: codeOf(remark),
    message: remark.message,
    ...(remark.column !== undefined && { column: remark.column }),
    ...(remark === reason
      ? { severity: 'error', effect, held: 'sale' }
      : { severity: 'warning', effect: ZERO, ...(isHolding(remark) && { held: 'sale' }) }),
  }));
};

/** If tax is due on a sale that no return includes, a person must decide. */
const currencyNote = (
  { status }: DetailRow,
  { currency, shipTo }: Sale,
  isDue: boolean,
): [Severity, string, string] => {
  const what = `${REASONS.R24.name}: in ${currency}, never converted, not posted`;
  return status === 'not USD' && isDue
    ? [
        'error',
        'R24',
        `${what}; the seller is registered in ${shipTo.state}, so its tax is due there in US dollars and is missing in the return`,
      ]
    : ['notice', 'R24', what];
};

const noteEdge = (
  row: DetailRow,
  sale: Sale,
  period: FilingPeriod,
  note: (severity: Severity, code: string, message: string) => void,
): void => {
  const utcDate = utcDateOf(sale.instant);
  if (isWithin(period, utcDate)) return;
  note('notice', 'R16', `${utcDate} in UTC, ${row.businessDate} where the seller is`);
};

/** Reason codes of extraction findings that are also reasons. */
const REASON_OF: Readonly<Record<string, ReasonCode>> = {
  duplicate: 'R18',
  'refund-without-order': 'R14',
  'two-collectors': 'R09',
};

/** Whether reading an export can find what this reason is about. */
export const isFoundByReading = (code: string): boolean => Object.values<string>(REASON_OF).includes(code);

/** The exception code of a sale's finding. */
export const codeOf = ({ code }: SaleFinding): string => REASON_OF[code] ?? code;

/** Reasons that a shared rate can prove. */
const RATE_REASONS: ReadonlySet<string> = new Set<RateClaim['code']>(['R02', 'R26', 'R27', 'R28']);

/** The exception of a record group that is not a sale, or cannot become one. */
export const exceptionOfSetAside = ({
  outcome,
  origin,
  reason,
  value,
  state = '',
  tax,
  channel,
}: SetAside & Pick<DraftException, 'channel'>): DraftException => ({
  severity: outcome === 'rejected' ? 'error' : 'notice',
  code: codeOf(reason),
  origin,
  message: reason.message,
  ...(reason.column !== undefined && { column: reason.column }),
  ...(value !== undefined && { value }),
  ...(channel !== undefined && { channel }),
  ...(outcome === 'rejected' && { held: tax === undefined ? ('row' as const) : ('sale' as const) }),
  state,
  effect: tax ?? ZERO,
});

/**
 * The exception for a sale whose two calculations differ: the service's, and that of Tieout's own engine where its
 * content is complete.
 */
export const exceptionsOfOpinion = (
  row: DetailRow,
  { expected, secondOpinion }: Pick<ReconciledSale, 'expected' | 'secondOpinion'>,
): readonly DraftException[] => {
  if (secondOpinion === undefined || expected === null) return [];
  return [
    {
      severity: 'error',
      code: 'second-opinion-differs',
      origin: { file: row.file, line: row.line, record: row.record },
      record: row.id,
      state: row.state,
      message: `the tax service expects ${formatMoney(expected)}, Tieout’s own engine ${formatMoney(secondOpinion)}, and no rate that its content may lack explains that: find out which is right, then correct or accept it`,
      effect: subtract(expected, secondOpinion),
    },
  ];
};

/** The exception for a record that the service lists but then answers with 404. */
export const exceptionOfUnshown = (listed: {
  readonly kind: string;
  readonly id: string;
  readonly provider: string;
}): DraftException => ({
  severity: 'error',
  code: 'listed-not-shown',
  origin: { file: '', line: 0, record: listed.id },
  message: `the service lists this ${listed.kind} for "${listed.provider}" and answers 404 when asked for it, so what it holds is not known: close again, and show it to the provider of the service if it stays`,
  state: '',
  effect: ZERO,
});

/**
 * The exception for a record in the service that is not a posted sale. `said` explains it from the exports; without it,
 * the record is taken for someone else's.
 */
export const exceptionOfExtra = (extra: {
  readonly kind: string;
  readonly id: string;
  readonly provider: string;
  readonly state: string;
  readonly tax: Money;
  readonly said?: string | undefined;
  /** Whether its sale awaits a decision; the exception of that sale then has the tax at stake. */
  readonly isHeld?: boolean | undefined;
  readonly asked: Asked;
}): DraftException => ({
  severity: 'error',
  code: extra.said === undefined ? 'R20' : 'recorded-not-posted',
  origin: { file: '', line: 0, record: extra.id },
  message: `the service holds this ${extra.kind} of "${extra.provider}" with ${formatMoney(extra.tax)} tax; ${extra.said ?? 'no export explains it'}`,
  state: extra.state,
  effect: extra.isHeld ? ZERO : extra.tax,
  asked: extra.asked,
});
