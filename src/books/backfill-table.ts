import { stringify } from 'csv-stringify/sync';
import type { MonthFigures } from '../figures/period-report.ts';
import { formatMoney, subtract } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';

/** A month as the backfill left it. */
export type BackfilledMonth = {
  readonly period: FilingPeriod;
  readonly kind: string;
  readonly lockedBy?: string;
  readonly figures?: MonthFigures;
};

const COLUMNS = ['month', 'folder', 'result', 'state', 'orders', 'refunds'];
const AMOUNTS = ['gross', 'taxable', 'collected', 'expected', 'recorded'] as const;

/** Builds backfill.csv: a row for each month and state of a range; one row for a month that has no figures. */
export const backfillTable = (months: readonly BackfilledMonth[]): string =>
  stringify([[...COLUMNS, ...AMOUNTS, 'variance'], ...months.flatMap(monthRows)], { bom: true });

const monthRows = ({ period, kind, lockedBy, figures }: BackfilledMonth): readonly (readonly string[])[] => {
  const month = [period.label, lockedBy ?? period.label, resultOf(kind, figures)];
  if (!figures || figures.states.length === 0) return [month];
  return figures.states.map((row) => [
    ...month,
    ...[row.state, String(row.orders), String(row.refunds)],
    ...AMOUNTS.map((amount) => formatMoney(row[amount])),
    formatMoney(subtract(row.collected, row.expected)),
  ]);
};

const resultOf = (kind: string, figures: MonthFigures | undefined): string => {
  if (kind === 'stopped') return 'not complete';
  if (!figures) return kind;
  return figures.readiness.ready ? 'READY' : 'NOT READY';
};
