import type { FiledBefore, SettledReturn } from '../filing/registration.ts';
import { returnKey } from '../filing/state-figures.ts';
import {
  amountDue,
  feesChargedOn,
  feesOf,
  filedBefore,
  isUnchanged,
  lateOf,
  linesDigest,
  type TaxReturn,
} from '../filing/tax-return.ts';
import { reasonsOf } from '../judge/readiness.ts';
import { add, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { byMoment, payMoment, payStatus } from './pay-list.ts';
import type { StateReturn } from './period-filing.ts';
import type { ClosedReport, Remittance } from './period-report.ts';

/** Returns what a return settled: its payment, with everything that was kept or used for it. */
export const settledBy = (of: Remittance): Omit<SettledReturn, 'period'> => {
  const { collected, useTax, fees } = of;
  const settled = subtract(of.due, sum([of.discount, of.prepayments, of.credits, lateOf(of.late)]));
  const remitted = subtract(settled, sum([useTax, fees, of.rounding]));
  return {
    collected,
    useTax,
    fees,
    feesCharged: of.feesCharged,
    settled,
    remitted,
  };
};

/** Returns a return as it was filed with a version, without what the returns of shorter periods had settled. */
export const filedWith = (version: string, of: Remittance): FiledBefore => {
  const all = settledBy(of);
  const own = (part: keyof typeof all): Money =>
    subtract(all[part], sum((of.shorter ?? []).map((each) => each[part])));
  return {
    version,
    kind: of.kind,
    name: of.name,
    due: of.due,
    collected: own('collected'),
    remitted: own('remitted'),
    useTax: own('useTax'),
    fees: own('fees'),
    feesCharged: own('feesCharged'),
    discount: negate(of.discount),
    prepayments: subtract(negate(of.prepayments), subtract(all.settled, own('settled'))),
    credits: negate(of.credits),
    ...(of.late && { late: of.late }),
    ...(of.lines !== undefined && { lines: of.lines }),
  };
};

/** Returns what the remittance basis makes of the expected tax, with the tax collected under missing rates, sale by sale. */
export const ruleStep = ({ remittance, figures, values }: TaxReturn): Money =>
  subtract(remittance, add(figures.expected, values.missing_rates));

export const remittanceOf = (given: StateReturn): Remittance => {
  const { filed, dueDate, coverage } = given;
  const { figures, values, useTax } = filed;
  const { state, kind, name, collected } = figures;
  const due = amountDue(filed);
  const before = filedBefore(filed);
  const { completes, frequency } = filed.registration;
  const steps = {
    gaps: values.missing_rates,
    adjustment: ruleStep(filed),
    useTax,
    fees: feesOf(filed),
    discount: negate(filed.discount.claimed),
    prepayments: negate(filed.prepayments.used),
    credits: negate(filed.credits.used),
  };
  const { penalty, interest } = values;
  const late = lateOf(values);
  return {
    state,
    kind,
    name,
    key: returnKey(figures),
    collected,
    isRequired: filed.instead === undefined,
    frequency: completes?.shorter ?? frequency,
    ...steps,
    feesCharged: feesChargedOn(filed),
    rounding: subtract(due, sum([figures.expected, ...Object.values(steps), late])),
    due,
    ...(late !== ZERO && { late: { penalty, interest } }),
    ...(before && {
      filedBefore: {
        due: before.due,
        discount: before.discount,
        ...(before.late && { late: before.late }),
      },
    }),
    ...(completes && { shorter: completes.returns }),
    coverage,
    filingPeriod: dueDate.period.label,
    ...(filed.instead && { insteadOn: filed.instead.form }),
    dueOn: filed.instead?.dueDate.due ?? dueDate.due,
    payBy: payMoment(filed.instead?.dueDate ?? dueDate),
    lines: linesDigest(filed),
    ...(isUnchanged(filed) && { isUnchanged: true }),
  };
};

/** A return of a closed period, as on the sheet Pay. */
export type ReturnDue = ReturnType<typeof returnsDue>[number];

/** Returns the amount to pay with a return: of an amended one what is due beyond the return before it. */
export const amountIn = ({ due, filedBefore }: Pick<Remittance, 'due' | 'filedBefore'>): Money =>
  subtract(due, filedBefore?.due ?? ZERO);

/** Returns the returns of a period as its close recorded them, in the order of the sheet Pay. */
export const returnsDue = ({ remittances, readiness, madeEarly }: ClosedReport) =>
  remittances
    .map((remittance) => {
      const blockers = reasonsOf(readiness, remittance.state);
      return {
        ...remittance,
        status: payStatus({ ...remittance, madeEarly }, blockers),
        madeEarly,
        amount: amountIn(remittance),
        /** The discount that the amount includes for filing and paying on time. */
        kept: subtract(negate(remittance.discount), remittance.filedBefore?.discount ?? ZERO),
        blockers,
      };
    })
    .sort(byMoment);

/** Returns what a close recorded of the returns of exactly its period, which are filed from it. */
export const ownReturns = ({ remittances }: Pick<ClosedReport, 'remittances'>): readonly Remittance[] =>
  remittances.filter(({ coverage, isRequired }) => coverage === 'whole' && isRequired);
