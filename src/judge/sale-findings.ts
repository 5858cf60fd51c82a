import { exemptionWord, type SaleExemption } from '../certificates/certificate.ts';
import { utcDateOf } from '../kernel/calendar.ts';
import { add, formatMoney, type Money, money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../kernel/period.ts';
import {
  isHolding,
  isPosted,
  type Origin,
  type Sale,
  type SaleFinding,
  type SetAside,
} from '../sales/sale.ts';
import type { FieldDifference } from './compare-record.ts';
import type { DetailRow } from './detail-row.ts';
import {
  type About,
  type Asked,
  type Finding,
  finding,
  isDecidedByTax,
  isPostedAsSellers,
} from './finding.ts';
import type { Severity } from './period-codes.ts';
import type { RateClaim } from './rate-claim.ts';
import { REASONS, type ReasonCode } from './reason.ts';
import type { ReconciledSale } from './reconciled-sale.ts';

/** What the findings of a sale depend on beside its figures. */
type SalePosition = {
  readonly period: FilingPeriod;
  /** Whether the seller owes the tax of the sale. */
  readonly isDue: boolean;
  /** The question about a record of the service that has its number. */
  readonly inUse?: Asked | undefined;
};

/** All findings of one sale of the period. */
const findingsOfSale = (
  row: DetailRow,
  sale: Sale,
  differences: readonly FieldDifference[],
  { period, isDue, inUse }: SalePosition,
): readonly Finding[] => {
  const at = { origin: originOf(row), record: row.id, channel: row.channel, state: row.state };
  const found: Finding[] = row.status === 'not calculated' ? [] : variancesOf(row, at);
  const note = (code: string, message: string, about: About = {}) =>
    found.push(finding(code, message, { ...at, ...about }));

  found.push(...findingsOfRemarks(sale, { ...at, effect: heldTax(row, sale) }));
  if (row.status === 'foreign')
    note('foreign', `shipped to the country ${row.country}: outside US filing, not posted`);
  if (sale.currency !== 'USD') {
    const what = `${REASONS.R24.name}: in ${sale.currency}, never converted, not posted`;
    // If tax is due on a sale that no return includes, a person must decide.
    const isMissing = row.status === 'not USD' && isDue;
    const due = `; the seller is registered in ${sale.shipTo.state}, so its tax is due there in US dollars and is missing in the return`;
    note('R24', isMissing ? `${what}${due}` : what, { severity: isMissing ? 'error' : 'notice' });
  }
  if (row.status === 'not calculated')
    note('not-calculated', row.detail || 'the service gave no calculation', {
      effect: sum(row.reasons.map(({ amount }) => amount)),
    });
  if (row.status === 'not recorded')
    note(inUse?.code ?? 'R19', row.detail || REASONS.R19.meaning, {
      effect: money(-row.collected),
      ...(inUse && { asked: inUse }),
    });
  for (const { field, sent, recorded, kind } of differences)
    if (kind === 'value')
      note(
        'recorded-otherwise',
        `${field} was sent as "${sent}" and is recorded as "${recorded}"; once it is deleted there, it is sent again`,
      );
  const utcDate = utcDateOf(sale.instant);
  if (row.isPosted && !isWithin(period, utcDate))
    note('R16', `${utcDate} in UTC, ${row.businessDate} where the seller is`, { severity: 'notice' });
  return found;
};

const originOf = ({ file, line, record }: DetailRow) => ({ file, line, record });

/** A finding for each reason of the variance of a sale. */
const variancesOf = (row: DetailRow, at: About): Finding[] =>
  row.reasons.map(({ code, amount, proof }) => {
    const figures = `collected ${formatMoney(row.collected)}, due ${formatMoney(row.expected)}; `;
    return finding(code, `${REASONS[code].name}: ${code === 'R99' ? figures : ''}${proof}`, {
      ...at,
      severity: code === 'R99' ? 'error' : 'warning',
      effect: amount,
      ...(isDecidedByTax(code) && { tax: money(Math.abs(row.collected)) }),
      ...(row.shared && RATE_REASONS.has(code) && { shared: row.shared }),
    });
  });

/** Reasons that a shared rate can prove. */
const RATE_REASONS: ReadonlySet<string> = new Set<RateClaim['code']>(['R02', 'R26', 'R27', 'R28']);

/** The tax that would be on a return if a held sale were posted. */
const heldTax = ({ collected }: DetailRow, { kind, findings, marketplaceTax }: Sale) => {
  const reason = findings.find((remark) => !isPosted(remark));
  if (!reason || !isHolding(reason) || !isPostedAsSellers(reason.code)) return collected;
  return add(collected, kind === 'refund' ? negate(marketplaceTax) : marketplaceTax);
};

/**
 * The findings for what reading remarked about a sale. The first remark of a held sale that was not decided is the
 * reason, with its effect; a further one for which it is held as well can be decided like it.
 */
export const findingsOfRemarks = (
  { findings, outcome }: Pick<Sale, 'findings' | 'outcome'>,
  { effect = ZERO, ...at }: About,
): readonly Finding[] => {
  const reason = outcome === 'review' ? findings.find((remark) => !isPosted(remark)) : undefined;
  return findings.map((remark) =>
    finding(codeOf(remark), remark.message, {
      ...at,
      ...(remark.column !== undefined && { column: remark.column }),
      ...(remark === reason
        ? { severity: 'error', effect, held: 'sale' }
        : { severity: 'warning', ...(isHolding(remark) && { held: 'sale' }) }),
    }),
  );
};

/** Reason codes of remarks that are also reasons. */
const REASON_OF: Readonly<Record<string, ReasonCode>> = {
  duplicate: 'R18',
  'refund-without-order': 'R14',
  'two-collectors': 'R09',
};

/** Whether reading an export can find what this reason is about. */
export const isFoundByReading = (code: string): boolean => Object.values<string>(REASON_OF).includes(code);

/** The code of the finding that a remark becomes. */
export const codeOf = ({ code }: SaleFinding): string => REASON_OF[code] ?? code;

/** The finding of a record group that is not a sale, or cannot become one. */
export const findingOfSetAside = ({
  outcome,
  origin,
  reason,
  value,
  state = '',
  tax,
  channel,
}: SetAside & { readonly channel?: string }): Finding =>
  finding(codeOf(reason), reason.message, {
    origin,
    state,
    effect: tax ?? ZERO,
    severity: outcome === 'rejected' ? 'error' : 'notice',
    ...(reason.column !== undefined && { column: reason.column }),
    ...(value !== undefined && { value }),
    ...(channel !== undefined && { channel }),
    ...(outcome === 'rejected' && { held: tax === undefined ? 'row' : 'sale' }),
  });

/**
 * The finding for a sale whose two calculations differ: the service's, and that of Tieout's own engine where its content
 * is complete.
 */
const findingsOfOpinion = (
  row: DetailRow,
  { expected, secondOpinion }: Pick<ReconciledSale, 'expected' | 'secondOpinion'>,
): readonly Finding[] => {
  if (secondOpinion === undefined || expected === null) return [];
  const message = `the tax service expects ${formatMoney(expected)}, Tieout’s own engine ${formatMoney(secondOpinion)}, and no rate that its content may lack explains that: find out which is right, then correct or accept it`;
  const about = { record: row.id, state: row.state, effect: subtract(expected, secondOpinion) };
  return [finding('second-opinion-differs', message, { origin: originOf(row), ...about })];
};

/** One posted sale with its exemption. Amounts of refunds are negative. */
type FoundExempt = Pick<DetailRow, 'state' | 'hasNexus' | 'collected' | 'expected'> & {
  readonly origin: Origin;
  readonly exemption: SaleExemption;
};

/**
 * Report an exempt sale in a state with nexus that no certificate supports, or whose certificate gives another reason.
 */
export const findingsOfExempt = (sale: FoundExempt): readonly Finding[] => {
  const { exemption, origin, state } = sale;
  if (exemption.lack === '' || !sale.hasNexus) return [];
  const claim = `the export calls the sale exempt (${exemptionWord(exemption.type)}), and ${exemption.lack}`;
  if (exemption.standing === 'certified')
    return [finding('certificate-other-reason', claim, { origin, state })];
  const unsupported = (rest: string, severity: Severity, effect: Money): Finding =>
    finding('R08', `Exemption not supported: ${claim}; ${rest}`, { severity, origin, state, effect });
  const { relieved } = exemption;
  if (relieved === null)
    return [unsupported('the tax at stake is not known, because it was not calculated', 'error', ZERO)];
  const effect = subtract(sale.collected, add(sale.expected, relieved));
  if (effect === ZERO) return [unsupported('no tax depends on it', 'notice', ZERO)];
  return [unsupported(`${formatMoney(negate(effect))} tax is at stake`, 'error', effect)];
};

/** What decides of an entry about its findings. */
type JudgedEntry = {
  readonly sale: Sale;
  readonly sent?: { readonly inUse?: Asked };
  readonly figures?: ReconciledSale | null;
  readonly version?: { readonly isReversal: boolean };
};

/** Returns the findings of a sale with its figures. A version of a filed sale has fewer. */
export const findingsOfEntry = (
  { sale, sent, figures, version }: JudgedEntry,
  row: DetailRow,
  given: {
    readonly period: FilingPeriod;
    readonly isDue: boolean;
  },
): readonly Finding[] => {
  const found = [
    ...findingsOfSale(row, sale, figures?.differences ?? [], { ...given, inUse: sent?.inUse }),
    ...(figures ? findingsOfOpinion(row, figures) : []),
  ];
  if (!version) return found;
  // For a sale that is filed in another period, a finding on a few hours at the edge of the period is irrelevant.
  const own = found.filter(({ code }) => code !== 'R16');
  return version.isReversal
    ? own.map((each) => (isVariance(each) ? { ...each, reverses: true } : each))
    : own;
};

/** Whether it is a reason with an amount. One that is decided by the tax of its record is asked about as it is. */
const isVariance = ({ code, severity, effect }: Finding): boolean =>
  severity === 'warning' && effect !== ZERO && code in REASONS && !isDecidedByTax(code);
