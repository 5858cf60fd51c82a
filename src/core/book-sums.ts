import { providerOf } from '../configuration/parts.ts';
import { type Entry, entryText } from '../evidence/entry.ts';
import type { EarlierOrder } from '../evidence/frame.ts';
import { keyCollector, keyedOf } from '../evidence/keys.ts';
import { type EvidenceLogs, logPiece } from '../evidence/log-file.ts';
import type { Derivation } from '../evidence/manifest.ts';
import { type PeriodSumsSettings, periodSums } from '../evidence/period-sums.ts';
import type { DetailLine } from '../judge/detail-row.ts';
import { withRefund } from '../judge/refund-link.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { partitions } from '../read/partitions.ts';
import type { RefundedOrderOf } from '../read/shapes.ts';
import { batchesOf } from '../runtime/batches.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';

/** The line of an entry. */
type EntryLine = { readonly key: string; readonly text: string };

/** Bytes of entries, and of rows of Detail, that are kept in memory until all are known. */
const HELD_MAX = 2 * 1024 * 1024;

/** Lines of the log that are written together. */
const LINES_AT_ONCE = 500;

/**
 * The sums of a period, its entries and its rows of Detail. Entries come in any order: what depends on theirs waits until
 * all are known.
 *
 * @param folder a folder of its own for what does not fit in memory
 */
export const bookSums = (ports: ClosePorts, settings: PeriodSumsSettings, folder: string) => {
  const derivation = derivationOf(ports);
  const entries = partitions<EntryLine>(`${folder}/entries`, HELD_MAX, {
    textOf: ({ text }) => text,
    itemOf: (text, key) => ({ key, text }),
  });
  const detail = partitions<DetailLine>(`${folder}/detail`, HELD_MAX);
  const all = periodSums(settings);
  const keys = keyCollector();
  return {
    all,
    keys,
    add: (some: readonly Entry[]): void => {
      for (const entry of some) {
        keys.add(keyedOf(entry));
        const { businessDate, key } = entry.sale;
        detail.add(businessDate, all.add(entry));
        entries.add(businessDate, { key, text: entryText(entry, derivation) });
      }
    },
    /** Writes the entries to the log, in the order of Detail, after all are known. */
    end: async (logs: EvidenceLogs): Promise<void> => {
      for (const day of entries.days())
        for (const lines of batchesOf(entries.take(day), LINES_AT_ONCE)) {
          const texts = lines.map(({ text }) => text);
          await logs.write({ entries: logPiece(texts) });
        }
    },
    /** Yields the rows of Detail, a day at a time. */
    detail: function* (): Generator<readonly DetailLine[]> {
      for (const day of detail.days()) yield detail.read(day);
    },
    /** Removes what did not fit in memory. */
    remove: (): void => {
      entries.end();
      detail.end();
    },
  };
};

/**
 * Returns an order that is not among the entries, with what its refunds before the period gave back.
 *
 * @param late the keys of the records of which the period has a late version: those count in it
 */
export const earlierOrder = (
  key: string,
  { order, noSale, refunds }: RefundedOrderOf,
  { first }: FilingPeriod,
  late: ReadonlySet<string>,
): EarlierOrder | undefined => {
  if (!order) return noSale === undefined ? undefined : { key, noSale };
  const { channel } = nameOfKey(key);
  const earlier = refunds.filter(
    ({ id, businessDate }) => businessDate < first && !late.has(saleKey(channel, 'refund', id)),
  );
  const before = earlier.reduce<ReturnType<typeof withRefund> | undefined>(withRefund, undefined);
  return { key, order, ...(before && { before }) };
};

/** Returns the settings from which the evidence of a close is derived. */
export const derivationOf = ({ configuration, serviceId }: ClosePorts): Derivation => ({
  shipFrom: configuration.shipFrom,
  providers: Object.fromEntries(
    configuration.channels.map(({ name }) => [name, providerOf(configuration, name)]),
  ),
  service: serviceId,
});
