import type { DetailRow } from '../judge/detail-row.ts';
import { type Finding, isDecidedByTax } from '../judge/finding.ts';
import { REASONS } from '../judge/reason.ts';
import { findingsOfOpinion, findingsOfSale } from '../judge/sale-findings.ts';
import { ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { Entry } from './entry.ts';

/** Returns the findings of an entry. */
export const findingsOfEntry = (
  { sale, sent, figures, version }: Entry,
  row: DetailRow,
  given: { readonly period: FilingPeriod; readonly isDue: boolean },
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
