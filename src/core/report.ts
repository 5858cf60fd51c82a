import { type ChannelSetAside, type Rejects, recordsOf } from '../books/files-to-fill-in.ts';
import type { Entry } from '../evidence/entry.ts';
import { type Frame, framePieces } from '../evidence/frame.ts';
import { type EvidenceLogs, logPiece } from '../evidence/log-file.ts';
import { reportOf } from '../evidence/reduce.ts';
import { inKeyOrder } from '../judge/period-totals.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { creditsLeft } from '../periods/amended-returns.ts';
import { filingRegistrations, withCompletions } from '../periods/balances.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import { refuseUnknownReturns, statedFor } from '../periods/filings.ts';
import { taxGivenBack } from '../periods/tax-given-back.ts';
import { asidesOf, type Exports } from '../read/shapes.ts';
import { bookSums } from './book-sums.ts';
import type { Beside } from './findings-beside.ts';
import { frameOf, withPlaces } from './frame-of.ts';
import type { FrozenFrame } from './frozen.ts';
import type { Gathered } from './publish.ts';
import { saidOfStrays } from './strays.ts';

type Place = {
  readonly folder: string;
  readonly logs: EvidenceLogs;
  readonly exports: Exports;
  readonly frozen: FrozenFrame;
  readonly registrations: EarlierPeriods['registrations'];
};

/** Gathers a period: its entries in any order, then what else is known of it. The logs are written on the way. */
export const gathering = (ports: ClosePorts, period: FilingPeriod, place: Place) => {
  const { folder, logs, exports, frozen, registrations } = place;
  const { configuration } = ports;
  const files = exports.certificates;
  const settings: Pick<Frame, 'decisions' | 'late' | 'lockedDays' | 'certificates'> = {
    decisions: [...frozen.takenOver, ...configuration.decided.filter((one) => one.period === period.label)],
    late: frozen.late,
    lockedDays: frozen.days,
    certificates: files.length === 0 ? null : files.flatMap(({ certificates }) => certificates),
  };
  const { refunded } = exports;
  const sums = bookSums(ports, { period, registrations, refunded, ...settings }, folder);

  return {
    add: (entries: readonly Entry[]): void => sums.add(entries),
    keys: (): Buffer => sums.keys.bytes(),
    end: async (beside: Beside): Promise<Gathered> => {
      const { earlier } = beside;
      await sums.end(logs);
      const asides = asidesOf(exports, period);
      asides.forEach(sums.all.addAside);
      const strays = saidOfStrays(ports, beside.strays, exports);
      strays.forEach(sums.all.addStray);
      await logs.write({
        'set-aside': logPiece(asides.map((aside) => JSON.stringify(aside))),
        strays: logPiece(strays.map((stray) => JSON.stringify(stray))),
      });
      const { beyond, filing: figures } = sums.all;
      const taking = filingRegistrations(registrations, period, earlier.takenOver);
      const before = taking.map((one) => ({
        ...one,
        ...earlier.filedBefore.get(one.state),
        ...statedFor(one.state, earlier.stated),
      }));
      const ofReturns = [
        ...taxGivenBack(registrations, period, { ...earlier, beyond, filing: figures, refunded }),
        ...creditsLeft(period, {
          returns: withCompletions(before, earlier.completions),
          filing: figures,
          jurisdictions: inKeyOrder(sums.all.totals.jurisdictions),
        }),
      ];
      const summed = { exports, registrations, settings, sums: sums.all };
      const frame = frameOf(ports, period, summed, { ...beside, ofReturns });
      const report = reportOf(frame, sums.all);
      const known = withPlaces(before, report, ports);
      const filing = withCompletions(known, earlier.completions);
      refuseUnknownReturns(earlier.stated, report, filing, sums.all.filing);
      const rejects = rejectsOf(exports, asides);
      const rejected = rejects.map(({ records: _, ...input }) => input);
      for (const piece of framePieces({ ...frame, filing, rejected })) await logs.write({ report: piece });
      return {
        report,
        registrations: filing,
        filing: sums.all.filing,
        rejects,
        refunds: sums.all.links(frame.orders),
        detail: sums.detail,
        remove: sums.remove,
        keys: sums.keys.bytes(),
      };
    },
  };
};

/** The rejected records of each input that has some. */
export const rejectsOf = (
  { inputs, headers }: Exports,
  asides: readonly ChannelSetAside[],
): readonly Rejects[] => {
  const rejected = asides.filter(({ outcome }) => outcome === 'rejected');
  return inputs
    .map(({ channel, path, sha256 }) => {
      const header = headers.get(`${channel}/${path}`) ?? [];
      return { channel, path, sha256, header, records: recordsOf(rejected, channel, path) };
    })
    .filter(({ records }) => records.length > 0);
};
