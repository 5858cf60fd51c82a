import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { loadNumbers } from './loads.ts';
import { salesByKey } from './put-sales.ts';
import { salesOfDays } from './sale-index.ts';
import type { Workspace } from './workspace.ts';

/** Rows of sales that still count as an earlier load read them. */
export type EarlierRows = {
  /** Rows that their file no longer contains. */
  gone: number;
  /** Rows that their file still contains, but now under another key, so that they count twice. */
  twice: number;
};

/** Returns, by channel and file, the rows of a period's sales that the last load of their channel did not find. */
export const rowsOfEarlierReadings = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<ReadonlyMap<string, EarlierRows>> => {
  const loads = await loadNumbers(workspace);
  const found = new Map<string, EarlierRows>();
  for (const { channel, number } of loads) {
    const of = () => salesOfDays(workspace, period, channel).select(['key', 'line']);
    const earlier = await salesOf(workspace, await of().where('load', '<', number).execute());
    if (earlier.length === 0) continue;
    const lines = new Set(earlier.map(({ origin }) => origin.line));
    const now = await of().where('load', '=', number).where('line', 'is not', null).execute();
    const again = await salesOf(
      workspace,
      now.filter(({ line }) => lines.has(line ?? 0)),
    );
    const places = new Set(again.map(placeOf));
    for (const sale of earlier) {
      const file = `${channel}/${sale.origin.file}`;
      const rows = found.get(file) ?? { gone: 0, twice: 0 };
      rows[places.has(placeOf(sale)) ? 'twice' : 'gone'] += sale.rows;
      found.set(file, rows);
    }
  }
  return found;
};

/** Returns the sales that have rows of their own. */
const salesOf = async (
  workspace: Workspace,
  rows: readonly { readonly key: string }[],
): Promise<readonly Sale[]> => {
  const sales = await salesByKey(
    workspace,
    rows.map(({ key }) => key),
  );
  return [...sales.values()].filter((sale) => sale.rows > 0);
};

/**
 * Returns a text that two sales of the same row share. The record and instant are part of it, because another export
 * may have a different record on the same line.
 */
const placeOf = ({ origin: { file, line, record }, instant }: Sale): string =>
  JSON.stringify([file, line, record, instant]);
