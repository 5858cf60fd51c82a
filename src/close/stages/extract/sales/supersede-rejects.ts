import { isSameRecord } from '../../../sales/record-id.ts';
import type { Sale, SetAside } from '../../../sales/sale.ts';
import { seenAmong } from '../../../workspace/load-sales.ts';
import { salesByKey } from '../../../workspace/put-sales.ts';
import { keepSetAsides, rejectPages } from '../../../workspace/set-asides.ts';
import type { SetAsideRow } from '../../../workspace/tables.ts';
import type { OpenLoad } from '../reading/channel-load.ts';

/**
 * Resolve records that an older file could not provide but a newer file does: the newest file takes precedence, and the
 * older rows count as ignored.
 */
export const supersedeRejects = async (load: OpenLoad): Promise<void> => {
  const { workspace, sources } = load;
  const age = new Map(sources.map(({ name }, index) => [name, index]));
  for await (const page of rejectPages(load)) {
    const newer = await salesOf(load, page);
    const settled = page.flatMap((row): SetAsideRow[] => {
      const sale = newer.get(row.key);
      if (!sale || (age.get(sale.file) ?? -1) <= (age.get(row.file) ?? 0)) return [];
      const { origin } = JSON.parse(row.body) as SetAside;
      return isSameRecord(sale, origin) ? [superseded(row, `${sale.file}:${sale.line}`)] : [];
    });
    await keepSetAsides(workspace, settled);
  }
};

const salesOf = async (
  load: OpenLoad,
  page: readonly SetAsideRow[],
): Promise<ReadonlyMap<string, Sale['origin']>> => {
  const keys = await seenAmong(
    load,
    page.map(({ key }) => key),
  );
  const sales = await salesByKey(load.workspace, keys);
  return new Map([...sales].map(([key, { origin }]) => [key, origin]));
};

const superseded = (row: SetAsideRow, newer: string): SetAsideRow => {
  const { value: _value, ...aside } = JSON.parse(row.body) as SetAside;
  const reason = {
    code: 'superseded',
    message: `it cannot be used as it stands here (${aside.reason.code}), and ${newer} is newer and can`,
  };
  const ignored: SetAside = { ...aside, outcome: 'ignored', reason };
  return { ...row, outcome: 'ignored', code: reason.code, body: JSON.stringify(ignored) };
};
