import { countOf, isOpen } from '../reconcile/exceptions.ts';
import { REASONS, type ReasonCode } from '../reconcile/reason.ts';
import type { PeriodReport } from './period-report.ts';

export type ExceptionCount = {
  readonly code: string;
  /** The code, with the name of its reason if it is a reason code. */
  readonly label: string;
  /** Exceptions that need a decision. */
  readonly open: number;
  readonly settled: number;
};

/** Counts the exceptions of a period by code. */
export const exceptionCounts = ({ exceptions }: PeriodReport): readonly ExceptionCount[] => {
  const codes = [...new Set(exceptions.map(({ code }) => code))].sort();
  return codes.map((code) => {
    const own = exceptions.filter((exception) => exception.code === code);
    const open = countOf(own.filter(isOpen));
    return { code, label: labelOf(code), open, settled: countOf(own) - open };
  });
};

const labelOf = (code: string): string =>
  code in REASONS ? `${code} ${REASONS[code as ReasonCode].name}` : code;
