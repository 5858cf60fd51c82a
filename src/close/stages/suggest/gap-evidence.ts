import { LOCAL_LEVELS, type LocalLevel } from '../../../contract/content-coverage.ts';
import type { ChargedTax, RateEvidence } from '../../../contract/rate-evidence.ts';
import { allocate } from '../../../kernel/allocate.ts';
import { type Money, sum, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { type DetailedSale, detailedPage } from '../../period-sales/detailed-sales.ts';
import { type Expectation, expectationsIn } from '../../period-sales/expectation-of.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { closingOf } from '../../periods/closing.ts';
import { notClosed } from '../../periods/period-errors.ts';
import { type RateClaim, rateBeyond } from '../../reconcile/rate-claim.ts';
import { partOf } from '../../reconcile/variance-part.ts';
import { type Sale, taxLinesOf } from '../../sales/sale.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Returns what each sale of a closed period shows about rates that the tax content lacks. It uses only sales with a
 * variance that such a gap explains. The amounts add up to the variance of R26 and R27, to the cent. A sale without a
 * known place does not show a rate.
 *
 * @throws {TieoutError} E_PERIOD_NOT_CLOSED
 */
export const gapEvidence = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly RateEvidence[]> => {
  if (!(await closingOf(workspace, period.label))) throw notClosed(period.label, 'suggest');
  const evidence: RateEvidence[] = [];
  for await (const page of salesOf(workspace, period)) {
    const { slot, sales } = await detailedPage(workspace, page);
    const gaps = sales.flatMap((detailed) => {
      const amount = gapOf(detailed);
      return amount === ZERO ? [] : [{ detailed, amount }];
    });
    const expectations = gaps.length === 0 ? new Map() : await expectationsIn(workspace, slot);
    for (const { detailed, amount } of gaps) {
      const { sale } = detailed;
      const expectation: Expectation | undefined = expectations.get(sale.key);
      const claims = expectation && expectation.basis !== 'refused' ? expectation.claims : [];
      const claim = claims.find(({ code, shared }) => partOf(code) === 'gap' && shared.by !== 'amount');
      if (claim) evidence.push(evidenceOf(sale, claim, amount));
    }
  }
  return evidence;
};

const gapOf = ({ reconciled }: DetailedSale): Money =>
  sum((reconciled?.reasons ?? []).filter(({ code }) => partOf(code) === 'gap').map(({ amount }) => amount));

const evidenceOf = (sale: Sale, claim: RateClaim, amount: Money): RateEvidence => {
  const taxes = taxesOf(sale, claim);
  const parts = allocate(
    amount,
    taxes.map(({ weight }) => Math.abs(weight)),
  );
  return {
    record: sale.origin.record,
    to: sale.shipTo,
    day: sale.taxDate,
    by: byOf(sale, claim),
    taxes: taxes.map(({ weight: _, ...tax }, index) => ({ ...tax, amount: parts[index] ?? ZERO })),
  };
};

const byOf = (sale: Sale, claim: RateClaim): RateEvidence['by'] => {
  if (isOneRate(claim)) return claim.shared.scope === 'state' ? 'agreement in the state' : 'agreement';
  return taxLinesOf(sale).length > 0 ? 'lines' : 'other lines';
};

/** Whether a claim is of one rate beyond those that the content has, and not of the taxes that it lacks. */
const isOneRate = ({ shared, isNewer }: RateClaim): boolean =>
  shared.by === 'agreement' || (isNewer === true && shared.shop !== null);

type Weighed = Omit<ChargedTax, 'amount'> & { readonly weight: number };

/**
 * Returns the taxes that a claim is about: the sale's own lines, the rates of other lines, or one rate for all of them.
 */
const taxesOf = (sale: Sale, claim: RateClaim): readonly Weighed[] => {
  const { rates, amounts, shared } = claim;
  const unnamed = { name: '', place: '' };
  if (isOneRate(claim)) {
    const missing = rateBeyond(shared);
    return [{ ...unnamed, level: null, rate: missing, weight: missing }];
  }
  const levels = LOCAL_LEVELS.filter((level) => level in rates || level in (amounts ?? {}));
  const lines = linesAt(sale, levels);
  if (lines.length > 0)
    return lines.map(({ name, place, kind, rate: stated, amount }) => ({
      name,
      place,
      level: LOCAL_LEVELS.find((level) => level === kind) ?? null,
      rate: stated,
      weight: amount,
    }));
  return levels.map((level) => {
    const stated = rates[level] ?? null;
    return { ...unnamed, level, rate: stated, weight: stated ?? 0 };
  });
};

/**
 * Returns the lines at these levels. A line whose name does not say its level counts at the first level that has no
 * line.
 */
const linesAt = (sale: Sale, levels: readonly LocalLevel[]) => {
  const lines = taxLinesOf(sale);
  const kinds = new Set(lines.map(({ kind }) => kind));
  const takesUnnamed = levels.some((level) => !kinds.has(level) || level === 'special');
  return lines.filter(
    ({ kind, amount }) =>
      amount !== ZERO && (kind === null ? takesUnnamed : levels.some((level) => level === kind)),
  );
};
