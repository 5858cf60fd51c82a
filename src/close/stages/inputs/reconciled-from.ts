import type { FilingPeriod } from '../../../kernel/period.ts';
import { recordedStage } from '../../period-sales/recorded-sale.ts';
import { submittedStage } from '../../period-sales/submitted-sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { pageInput } from './page-input.ts';

/** Returns the stages from whose pages the figures of a page are computed. */
export const reconciledFrom = (ports: ClosePorts) =>
  ['calculated', 'variances', submittedStage(ports), recordedStage(ports)] as const;

/**
 * Returns a digest of everything that the figures of a page are computed from: its sales, and its pages of those
 * stages.
 */
export const reconcileInput = (
  ports: ClosePorts,
  { label }: FilingPeriod,
  sales: string,
  heads: readonly (string | null)[],
): string => pageInput(ports, 'reconcile', { period: label, sales, heads });
