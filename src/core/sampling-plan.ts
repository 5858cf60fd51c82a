import type { SamplingPlan } from '../close/reconcile/sampling.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Without a seed in the policy, entity and period are the seed, so that no one can influence the sample. */
export const samplingPlan = ({ configuration }: ClosePorts, period: FilingPeriod): SamplingPlan => {
  const { seed, perStratum, monetaryUnits } = configuration.policy.sampling;
  return { seed: seed ?? `${configuration.entity} ${period.label}`, perStratum, monetaryUnits };
};
