import type { BooksGiven } from '../books/draw-books.ts';
import { rejectsOf } from '../books/files-to-fill-in.ts';
import type { EntryLine } from '../evidence/entry.ts';
import { type Frame, frameLines } from '../evidence/frame.ts';
import { keyCollector } from '../evidence/keys.ts';
import type { EvidenceLogs } from '../evidence/log-file.ts';
import { periodSums } from '../evidence/period-sums.ts';
import { detailRows, reportOf } from '../evidence/reduce.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import { asidesOf, type Exports } from '../read/shapes.ts';
import { type Beside, frameOf } from './frame-of.ts';
import type { FrozenFrame } from './frozen.ts';
import { gatherReturns } from './gather-returns.ts';
import type { Close } from './reading.ts';
import { saidOfStrays } from './strays.ts';

/** What the books of a period are drawn from. */
export type Gathered = {
  readonly drawn: BooksGiven;
  /** The bytes of `evidence/keys.bin`. */
  readonly keys: Iterable<Buffer>;
};

/**
 * Gathers a period: its entries in the order of the log, then what else is known of it.
 *
 * @param folder a folder of its own for what does not fit in memory
 */
export const gathering = (
  { ports, period, exports }: Pick<Close, 'ports' | 'period' | 'exports'>,
  frozen: FrozenFrame,
  earlier: EarlierPeriods,
  folder: string,
  logs: EvidenceLogs,
) => {
  const { configuration } = ports;
  const { registrations } = earlier;
  const { refunded, certificates } = exports;
  const settings: Pick<Frame, 'decisions' | 'late' | 'lockedDays' | 'certificates'> = {
    decisions: [...frozen.takenOver, ...configuration.decided.filter((one) => one.period === period.label)],
    late: frozen.late,
    lockedDays: frozen.days,
    certificates: certificates.length === 0 ? null : certificates.flatMap((file) => file.certificates),
  };
  const detail = detailRows(`${folder}/detail`);
  const keys = keyCollector(`${folder}/keys`);
  const sums = periodSums({ period, registrations, refunded, ...settings });
  return {
    /** Adds entries to all sums and, in the order in which they come, to the log. */
    add: async (some: readonly EntryLine[]): Promise<void> => {
      for (const { entry } of some) {
        keys.add(entry);
        detail.add(sums.add(entry));
      }
      await logs.entries.write(some.map(({ text }) => text));
    },
    keys: keys.sorted,
    end: async (beside: Omit<Beside, 'earlier' | 'ofReturns'>): Promise<Gathered> => {
      const asides = asidesOf(exports, period);
      asides.forEach(sums.addAside);
      const strays = saidOfStrays(ports, beside.strays, exports);
      strays.forEach(sums.addStray);
      await logs['set-aside'].write(asides.map((aside) => JSON.stringify(aside)));
      await logs.strays.write(strays.map((stray) => JSON.stringify(stray)));
      const returns = gatherReturns({ ports, period, exports }, earlier, sums);
      const frame = frameOf({ ports, period, exports }, settings, sums, {
        ...beside,
        earlier,
        ofReturns: returns.findings,
      });
      const report = reportOf(frame, sums);
      const filing = returns.filed(report);
      const rejects = rejectsOf(filesOf(exports), asides).filter(({ records }) => records.length > 0);
      const rejected = rejects.map(({ records: _, ...input }) => input);
      await logs.report.write(frameLines({ ...frame, filing, rejected }));
      const refunds = sums.refunds.links(frame.orders);
      return {
        drawn: {
          gathered: report,
          registrations: filing,
          figures: sums.filing,
          rejects,
          refunds,
          detail: detail.pages,
        },
        keys: keys.sorted(),
      };
    },
  };
};

/** The inputs, each with the header of its file. */
const filesOf = ({ inputs, headers }: Exports) =>
  inputs.map(({ channel, path, sha256 }) => {
    const header = headers.get(`${channel}/${path}`) ?? [];
    return { channel, path, sha256, header };
  });
