import { type Decision, type DecisionIndex, decisionIndex } from '../judge/decision.ts';
import { parseMoney } from '../kernel/money.ts';
import type { DecidedConfiguration } from './load-configuration.ts';

/** All decisions: acceptances and overrides in the configuration, and those in the decision files it names. */
export const decisionsOf = ({ policy, overrides, decided }: DecidedConfiguration): readonly Decision[] => {
  const always = { period: '', cause: '', by: '', on: '' } as const;
  return [
    ...policy.accept.map(({ record, code, why }, index): Decision => {
      const place = `policy.accept[${index}]`;
      return { ...always, code, records: [record], verdict: 'accept', why, place };
    }),
    ...overrides.map(({ record, tax, why }, index): Decision => {
      const amount = parseMoney(tax);
      const place = `overrides[${index}]`;
      return {
        ...{ ...always, code: 'R99', records: [record], verdict: 'set-by-hand', why, place },
        ...(amount !== undefined && { tax: amount }),
      };
    }),
    ...decided.decisions,
  ];
};

/** Index these decisions by record and cause, once per configuration. */
export const decisionIndexOf = (configuration: DecidedConfiguration): DecisionIndex => {
  const found = known.get(configuration) ?? decisionIndex(decisionsOf(configuration));
  known.set(configuration, found);
  return found;
};

const known = new WeakMap<DecidedConfiguration, DecisionIndex>();
