import { definePipeline, PeriodParam, z } from 'tieout';

const Params = z.strictObject({ period: PeriodParam });

export const goals = definePipeline('goals', Params, async (_run, _close, { period }) => {
  const amounts = new Map([['2026-09', '1200.00']]);
  const goal = amounts.get(period.label);
  if (goal === undefined) throw new Error(`no goal is set for ${period.label}`);
  return goal;
});
