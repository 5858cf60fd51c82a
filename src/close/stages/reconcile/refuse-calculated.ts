import type { FilingPeriod } from '../../../kernel/period.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import { type Decision, isSameDecision } from '../../decisions/decision.ts';
import { CAUSES } from '../../decisions/line-key.ts';
import { type Expectation, expectationsIn } from '../../period-sales/expectation-of.ts';
import { isPostedOpen, salesOf } from '../../period-sales/sales-of.ts';
import { applyPolicy } from '../../reconcile/apply-policy.ts';
import { detailRowOf } from '../../reconcile/detail-row.ts';
import { exceptionsOfSale, isGap } from '../../reconcile/exceptions.ts';
import { isGapRecord } from '../../reconcile/gap-record.ts';
import { bareName } from '../../sales/record-id.ts';
import type { StoredSale } from '../../workspace/sale-page.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { figuresBeforeSending } from './reconcile-sales.ts';

/**
 * Refuse decisions that a calculation shows to be wrong: about a record, or about a place whose rate is missing, that
 * contradict the one about its whole cause; about such a place that contradict one about a record; about the tax of a
 * record that was charged too much for one that was charged too little, or the other way round. The cause of a record,
 * its variance, and whether its place lacks a rate, show when it is calculated, so this is after the calculations and
 * before anything is sent.
 *
 * @throws {TieoutError} E_DECISION
 */
export const refuseCalculated = async (ports: ClosePorts, period: FilingPeriod): Promise<void> => {
  const { configuration, workspace } = ports;
  const decisions = decisionsOf(configuration).filter((one) => ['', period.label].includes(one.period));
  const isOfPlace = (one: Decision): boolean =>
    isGap(one) && one.records.some((record) => isGapRecord(record, period));
  const doubted = decisions.filter(
    (one) => one.cause === '' && (isOfCharge(one) || mayContradict(one, isOfPlace(one), decisions)),
  );
  if (doubted.length === 0) return;
  const names = new Set(doubted.flatMap(({ records }) => records.map(bareName)));
  const codes = new Set(doubted.map(({ code }) => code));
  const areOfPlaces = doubted.some(isOfPlace);
  const index = decisionIndexOf(configuration);
  for await (const page of salesOf(workspace, period)) {
    const posted = page.sales.filter(isPostedOpen);
    const isNamed = ({ sale }: StoredSale): boolean =>
      [sale.id, sale.origin.record].some((name) => names.has(bareName(name)));
    if (!areOfPlaces && !posted.some(isNamed)) continue;
    const expectations = await expectationsIn(workspace, page.slot);
    for (const stored of posted) {
      const { sale } = stored;
      const expectation = expectations.get(sale.key);
      if (!isNamed(stored) && !(areOfPlaces && hasGap(expectation))) continue;
      const figures = figuresBeforeSending(ports, stored, period, expectation);
      const row = detailRowOf(sale, 'posted', figures);
      const drafts = exceptionsOfSale(row, sale, [], { period, isDue: true });
      applyPolicy(
        drafts.filter(({ code }) => codes.has(code)),
        index,
        period,
      );
    }
  }
};

/** Whether a decision fits either what was charged too much, or what was charged too little. */
const isOfCharge = ({ code, verdict }: Decision): boolean => CAUSES.test(code) && verdict !== 'accept';

/**
 * Whether another decision may be about the same record, and says something else: one of a cause, or any if the place
 * may be that of the record.
 */
const mayContradict = (one: Decision, isOfPlace: boolean, decisions: readonly Decision[]): boolean =>
  decisions.some(
    (other) =>
      (other.cause !== '' || isOfPlace) &&
      (other.code === one.code || (other.code === 'gap' && isGap(one))) &&
      !isSameDecision(one, other),
  );

/** Whether the calculations show that the place of a sale lacks a rate. */
const hasGap = (expectation: Expectation | undefined): boolean =>
  expectation !== undefined && expectation.basis !== 'refused' && expectation.claims.some(isGap);
