import { DAY_MS, type Instant } from '../../../../kernel/calendar.ts';
import { type Money, ZERO } from '../../../../kernel/money.ts';
import type { Aged } from '../../../sales/newer-statement.ts';
import type { SalesProfile } from '../../../sales/profile.ts';
import type { Sale, SetAside } from '../../../sales/sale.ts';
import { nameOfKey, saleKey } from '../../../sales/sale-name.ts';
import { knownSales } from '../../../workspace/load-sales.ts';
import { salesByKey } from '../../../workspace/put-sales.ts';
import type { OpenLoad } from '../reading/channel-load.ts';
import { controlsText } from '../reading/figures.ts';
import { openExport } from '../reading/open-export.ts';
import type { ReadSales } from '../reading/read-file.ts';
import { asPart, saleOfRecord } from '../reading/record-parts.ts';
import type { CountedRepayment } from '../refunds/repayment-rows.ts';
import { preparedRecord } from './prepared-record.ts';

/** One place in the files of a load that has a number, as a sale or set aside. */
export type Place = Aged & {
  readonly key: string;
  /** When the record was created; `undefined` where its row does not say it. */
  readonly at: Instant | undefined;
  readonly uniqueId: string;
  readonly origin: Sale['origin'];
  readonly sale: Sale | undefined;
  readonly aside: SetAside | undefined;
  /** Whether its rows make up a record; other rows are set aside without saying anything of the record. */
  readonly isRecord: boolean;
  readonly digest: string;
  readonly controls: string;
  readonly rows: SetAside['rows'];
  readonly repayments: readonly CountedRepayment[];
  /** The position of its file in reading order, and the load that read it. */
  readonly file: number | null;
  readonly load: number;
  /** For a record of a locked period: the key that it is filed under. It is not a statement of today. */
  readonly lockedAs?: string;
  /** `undefined` for what only an earlier load has read. */
  readonly profile: SalesProfile | undefined;
};

/** Reads the places of these keys, and the refunds of these orders, again. */
export const placesOf = async (load: OpenLoad, contested: ReadonlySet<string>): Promise<readonly Place[]> => {
  const known = await knownSales(load.workspace, [...contested]);
  const places: Place[] = [];
  for (const [file, source] of load.sources.entries()) {
    const { records, profile, meter, statedOf } = await openExport(load, source);
    for await (const batch of records())
      for (const { group, record: read } of batch.records) {
        const [first] = group.rows;
        const record = profile.shape.parts ? asPart(read, known.values(), load) : read;
        const prepared = preparedRecord(load, { profile, meter, file }, { group, record });
        const { reference = null } = saleOfRecord(record) ?? {};
        const isWanted = contested.has(prepared.key) || contested.has(orderKey(load, reference ?? ''));
        if (!first || !isWanted) continue;
        const isAside = 'aside' in prepared;
        if (isAside && prepared.aside.key === '') continue;
        const sale = saleOfRecord(record);
        const aside = 'outcome' in record ? record : undefined;
        places.push({
          ...statedOf(first),
          ...{ key: prepared.key, sale, aside, origin: (sale ?? (aside as SetAside)).origin },
          refunded: 'order' in record ? record.refunded : sale && ZERO,
          isRecord: !isAside || prepared.isRecord,
          digest: isAside ? '' : prepared.sale.row.digest,
          repayments: isAside ? [] : prepared.repayments,
          ...{ rows: group.rows, controls: controlsText(meter.of(group.rows)) },
          ...{ profile, file, load: load.number },
        });
      }
  }
  return places;
};

const orderKey = ({ channel }: OpenLoad, id: string): string => saleKey(channel.name, 'order', id);

/** The load before, with the digests of its files by name. */
export type ReadBefore = {
  readonly number: number | undefined;
  readonly digests: ReadonlyMap<string, string>;
};

/** Days by which a corrected file may begin later or end earlier than the days that it had before. */
const MOVED_DAYS = 31;

/**
 * Returns what an earlier load has read of these orders and no file of this load corrects: its file is gone, or was
 * written over by one of other days.
 *
 * @param before the load before, with the digests of its files by name
 */
export const placesReadBefore = async (
  load: OpenLoad,
  contested: ReadonlySet<string>,
  files: readonly ReadSales[],
  before: ReadBefore,
): Promise<readonly Place[]> => {
  const known = await knownSales(load.workspace, [...contested]);
  const earlier = [...known.values()].filter(
    (row) => row.load !== load.number && nameOfKey(row.key).kind === 'order',
  );
  const sales = await salesByKey(
    load.workspace,
    earlier.map(({ key }) => key),
  );
  return earlier.flatMap(({ key, digest, controls, refunded, file, load: seenBy }): readonly Place[] => {
    const sale = sales.get(key) as Sale;
    const now = files.find((read) => read.file.name === sale.origin.file);
    const isNear = now?.days.some(
      (day) => Math.abs(Date.parse(day) - Date.parse(sale.businessDate)) <= MOVED_DAYS * DAY_MS,
    );
    const sha256 = before.digests.get(sale.origin.file);
    const isReadAnew = sha256 === undefined || (sha256 === now?.file.sha256 && seenBy === before.number);
    if (now && (isNear || isReadAnew)) return [];
    return [
      {
        ...{ key, digest, controls, file, load: seenBy },
        ...{ sale, aside: undefined, origin: sale.origin, at: sale.instant },
        ...{
          refunded: refunded as Money,
          uniqueId: sale.origin.uniqueId ?? '',
          updated: undefined,
          steps: [],
        },
        ...{ rows: [], repayments: [], isRecord: true, profile: undefined },
      },
    ];
  });
};
