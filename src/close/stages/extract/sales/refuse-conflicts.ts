import { formatMoney } from '../../../../kernel/money.ts';
import type { TableRow } from '../../../sales/files/table-row.ts';
import type { SalesProfile } from '../../../sales/profile.ts';
import { isSameRecord, nameInMessages, UNNUMBERED_REFUND } from '../../../sales/record-id.ts';
import type { Sale, SetAside } from '../../../sales/sale.ts';
import { type KnownSale, knownSales } from '../../../workspace/load-sales.ts';
import { removeSales } from '../../../workspace/put-sales.ts';
import { setAsideRow } from '../../../workspace/sale-rows.ts';
import { forgetGone, goneByKey, keepSetAsides } from '../../../workspace/set-asides.ts';
import type { SetAsideRow } from '../../../workspace/tables.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import { controlsText } from '../reading/figures.ts';
import { openExport } from '../reading/open-export.ts';
import { asShipment, saleOfRecord } from '../reading/record-parts.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { mayBeFurther } from './further-refunds.ts';
import type { Contradictions } from './gone-rejects.ts';

/**
 * Reject a record in every place if it occurs twice in one file with different content, because it is not known which
 * one is right. The same applies to two records whose names become one id, and to refunds of one order that may be
 * several. Such records are rare, so their rows are read again instead of being kept.
 *
 * @param before records of which this load has one copy and an earlier load had several, with the earlier reason
 */
export const refuseConflicts = async (
  load: OpenLoad,
  found: ReadonlySet<string>,
  before: Contradictions,
): Promise<void> => {
  const conflicts = new Set([...found, ...before.keys()]);
  if (conflicts.size === 0) return;
  const { workspace } = load;
  const known = await knownSales(workspace, [...conflicts]);
  const places: Place[] = [];
  for (const file of load.sources) places.push(...(await placesIn(load, file, conflicts, known)));
  const refused = places.map((place) =>
    setAsideRow(ownerOf(load), conflicting(place, places, before.get(place.sale.key)), {
      key: place.sale.key,
      controls: place.controls,
    }),
  );
  const stale = await readBefore(load, refused, before);
  await workspace.together(async (within) => {
    await keepSetAsides(within, refused);
    for (const row of stale) await forgetGone({ ...load, workspace: within }, row);
    await removeSales(within, [...conflicts]);
  });
};

/**
 * Returns the copies kept from an earlier reading that are among the present ones, so that none counts twice, wherever
 * it was then.
 */
const readBefore = async (
  load: OpenLoad,
  refused: readonly SetAsideRow[],
  before: Contradictions,
): Promise<readonly SetAsideRow[]> => {
  if (before.size === 0) return [];
  const kept = await goneByKey(load, [...before.keys()]);
  return refused.flatMap((now) => {
    const own = kept.filter(({ key }) => key === now.key);
    const same =
      own.find((row) => cellsOf(row) === cellsOf(now)) ??
      own.find(({ file, line }) => file === now.file && line === now.line);
    return same ? kept.splice(kept.indexOf(same), 1) : [];
  });
};

const cellsOf = ({ body }: SetAsideRow): string =>
  JSON.stringify((JSON.parse(body) as SetAside).rows.map(({ cells }) => cells));

/** One place of a refused record. */
type Place = {
  readonly sale: Sale;
  readonly rows: readonly TableRow[];
  readonly controls: string;
  readonly profile: SalesProfile;
};

const placesIn = async (
  load: OpenLoad,
  file: SourceFile,
  conflicts: ReadonlySet<string>,
  known: ReadonlyMap<string, KnownSale>,
): Promise<readonly Place[]> => {
  const { records, profile, meter } = await openExport(load, file);
  const places: Place[] = [];
  for await (const batch of records()) {
    for (const { group, record } of batch.records) {
      const read = saleOfRecord(record);
      const sale = read && profile.shape.parts ? asShipment(read, known.values(), load) : read;
      if (!sale || !conflicts.has(sale.key)) continue;
      places.push({ sale, rows: group.rows, controls: controlsText(meter.of(group.rows)), profile });
    }
  }
  return places;
};

/** Returns every place of a record, with its amounts, and its day where the days differ. */
const placesOf = (places: readonly Place[]): string => {
  const hasDays = new Set(places.map(({ sale }) => sale.businessDate)).size > 1;
  return places
    .map(({ sale: { origin, amount, salesTax, businessDate } }) => {
      const day = hasDays ? ` on ${businessDate}` : '';
      return `${origin.file}:${origin.line} has ${formatMoney(amount)} and ${formatMoney(salesTax)} tax${day}`;
    })
    .join(', ');
};

const conflicting = (
  { sale, rows, profile }: Place,
  all: readonly Place[],
  before: SetAside['reason'] | undefined,
): SetAside => {
  const own = all.filter((place) => place.sale.key === sale.key);
  const other = own.find((place) => !isSameRecord(place.sale.origin, sale.origin));
  const areRefunds = own.some((place) => mayBeFurther(profile, sale.key, [place.sale, sale]));
  return {
    outcome: 'rejected',
    origin: sale.origin,
    rows,
    businessDate: sale.businessDate,
    // It is not known which of its taxes is right.
    ...(sale.shipTo.country === 'US' && { state: sale.shipTo.state }),
    reason:
      before ??
      (other
        ? {
            code: 'merged-id',
            message: `${nameInMessages(sale.origin)} and ${nameInMessages(other.sale.origin)} would both be known as ${sale.id}`,
          }
        : {
            code: areRefunds ? UNNUMBERED_REFUND : 'conflicting-duplicate',
            message: `the ${sale.kind} stands more than once, with different content: ${placesOf(own)}`,
          }),
  };
};
