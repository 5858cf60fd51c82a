import { formatPercent } from '../../kernel/rate.ts';
import type { VarianceInput } from './explain-variance.ts';
import { isLocalTax, LOCAL_MAX } from './local-limit.ts';
import { taxModelOf } from './tax-model.ts';

/** Says what is known of a variance that nothing explains, and what would explain it. */
export const unexplainedText = (given: VarianceInput): string =>
  given.isCutShort === true ? CUT_SHORT : `${NOTHING_FITS}${lackText(given)}`;

const NOTHING_FITS = 'no recomputation with one thing changed gives what was collected';

const CUT_SHORT =
  'not every recomputation was asked for: the limit of questions (`service.maxQuestions`) or the call budget (`service.maxCalculations`, --max-calculations) was reached';

/** Either the shop overcharged or Tieout lacks a rate. A few sales without tax by jurisdiction do not prove which. */
const lackText = ({ gap, collected, amount, expectation, lines }: VarianceInput): string => {
  if (!gap || collected <= expectation.amount_to_collect) return '';
  if (!isLocalTax(collected, amount, taxModelOf(expectation, lines)))
    return `; its local tax is above ${formatPercent(LOCAL_MAX)}, too much to be taken for a rate that Tieout lacks`;
  const lack =
    gap.span === undefined
      ? `a rate here (${gap.levels.join(', ')})`
      : `the rate of that day here (${gap.span})`;
  return `; Tieout may lack ${lack}, and sales that state their tax by jurisdiction, or eight that agree on a rate, would show it`;
};
