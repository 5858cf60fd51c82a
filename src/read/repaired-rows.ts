import { detectProfile } from '../close/sales/detect-profile.ts';
import type { ReadGroup } from '../close/sales/read-export.ts';
import type { SetAside } from '../close/sales/sale.ts';
import { rejectPlaces } from '../close/sales/table-row.ts';
import type { ChannelLoad } from './open-export.ts';
import type { SourceFile } from './source-file.ts';

/** Rejected rows that repaired reject files of the channel replace. */
export type RepairedRows = {
  /** By the digest of the file they were rejected in: the line of each, and the place of its repair. */
  readonly places: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** By the name of a reject file: the file that its rows were rejected in. */
  readonly originals: ReadonlyMap<string, SourceFile>;
};

/**
 * Reads the reject files among the files of a channel. Their rows replace rows of other files. The files are identified
 * by digest, so that rows of a file that has changed since are not mistaken for the repaired ones.
 */
export const repairedRows = async ({
  sources,
  companions,
  profiles,
}: Pick<ChannelLoad, 'profiles'> &
  Readonly<Record<'sources' | 'companions', readonly SourceFile[]>>): Promise<RepairedRows> => {
  const files = [...sources, ...companions];
  const places = new Map(files.map(({ sha256 }) => [sha256, new Map<number, string>()]));
  const originals = new Map<string, SourceFile>();
  for (const file of files) {
    const { header, rows } = await detectProfile(file, profiles.profiles, profiles.wanted);
    const at = rejectPlaces(header);
    if (!at) continue;
    for await (const batch of rows()) {
      for (const { cells, line } of batch) {
        const sha256 = cells[at.sha256]?.trim() ?? '';
        places.get(sha256)?.set(Number(cells[at.line]), `${file.name}:${line}`);
        const original = files.find((one) => one.sha256 === sha256);
        if (original && !originals.has(file.name)) originals.set(file.name, original);
      }
    }
  }
  return { places, originals };
};

/** Whether rows come from a file: as it is, or as a reject file repairs it. */
export const isOfFile = (
  { repaired }: { readonly repaired: RepairedRows },
  name: string,
  file: string,
): boolean => name === file || repaired.originals.get(name)?.name === file;

/** Yields the records of a file, with those that were repaired elsewhere as ignored records. */
export async function* withoutRepaired(
  batches: AsyncIterable<readonly ReadGroup[]>,
  places: ReadonlyMap<number, string> = new Map(),
): AsyncGenerator<readonly ReadGroup[]> {
  for await (const batch of batches)
    yield places.size === 0 ? batch : batch.map((read) => withoutOneRepaired(read, places));
}

const withoutOneRepaired = (read: ReadGroup, places: ReadonlyMap<number, string>): ReadGroup => {
  const place = read.group.rows.map(({ line }) => places.get(line)).find((found) => found !== undefined);
  return place === undefined ? read : repaired(read, place);
};

/** The group becomes a stray, because its rows do not count for their record any more. */
const repaired = ({ group: { name, rows }, record }: ReadGroup, place: string): ReadGroup => {
  const sale = 'order' in record ? record.order : 'refund' in record ? record.refund : record;
  const aside: SetAside = {
    outcome: 'ignored',
    origin: sale.origin,
    rows,
    businessDate: sale.businessDate,
    reason: { code: 'repaired', message: `the record was repaired, and stands at ${place}` },
  };
  return {
    group: { kind: 'stray', name, rows, reason: 'orphan-row', width: rows[0]?.cells.length ?? 0 },
    record: aside,
  };
};
