import { type DecisionIndex, decisionIndex } from '../judge/decision.ts';
import type { DecidedConfiguration } from './load-configuration.ts';

/** Index the decisions of the decision files by record and cause, once per configuration. */
export const decisionIndexOf = (configuration: DecidedConfiguration): DecisionIndex => {
  const found = known.get(configuration) ?? decisionIndex(configuration.decided);
  known.set(configuration, found);
  return found;
};

const known = new WeakMap<DecidedConfiguration, DecisionIndex>();
