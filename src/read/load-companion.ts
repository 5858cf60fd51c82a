import type { RecordOutcome } from '../close/reconcile/input-exceptions.ts';
import type { Detected } from '../close/sales/detect-profile.ts';
import type { CompanionProfile, RefundDatesProfile, TaxReportProfile } from '../close/sales/profile.ts';
import { type RowSaying, readCompanion } from '../close/sales/read-companion.ts';
import { refundDateReader } from '../close/sales/read-refund-dates.ts';
import { type ReportedTax, taxReportReader } from '../close/sales/read-tax-report.ts';
import type { RefundDate } from '../close/sales/refunds.ts';
import type { RowReader } from '../close/sales/row-reader.ts';
import type { SetAside } from '../close/sales/sale.ts';
import { isCompanionProfile, isRefundDatesProfile } from '../close/sales/shipped-profiles.ts';
import { batches } from '../runtime/batches.ts';
import { noOutcomes, type OutcomeFigures } from './account-for-files.ts';
import type { ChannelLoad } from './channel-load.ts';
import { columnMeter } from './column-meter.ts';
import { addControlsText, controlsText } from './figures.ts';
import { noRowsNotice } from './file-notices.ts';
import { BATCH_ROWS, detected } from './open-export.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { type CountedRepayment, repaymentCounter } from './repayment-rows.ts';
import type { SourceFile } from './source-file.ts';

/** A companion file that was read, with the outcomes of its rows. */
export type LoadedCompanion = {
  readonly file: ReadFile;
  readonly outcomes: OutcomeFigures;
  readonly kind: CompanionProfile['capability'];
};

/** What some rows of a companion file say, and those that cannot be read with their control totals. */
export type CompanionBatch = {
  readonly dates: readonly CountedRepayment[];
  readonly taxes: readonly ReportedTax[];
  readonly asides: readonly { readonly aside: SetAside; readonly controls: string }[];
};

type Reading = Pick<ChannelLoad, 'configuration' | 'channel' | 'profiles' | 'repaired'>;

/** Reads a companion file in batches. */
export const readCompanionFile = async (
  load: Reading,
  file: SourceFile,
  keep: (batch: CompanionBatch) => Promise<void>,
): Promise<LoadedCompanion> => {
  const found = await detected(load, file, isCompanionProfile);
  const { profile } = found;
  if (!isRefundDatesProfile(profile))
    return readRows(load, file, found, taxReport(profile, found.header), (taxes, asides) =>
      keep({ dates: [], taxes, asides }),
    );
  const counted = repaymentCounter();
  return readRows(load, file, found, refundDates(load, profile), (said, asides) =>
    keep({ dates: said.map(counted), taxes: [], asides }),
  );
};

/** How one kind of companion file is read. */
type Kind<Said> = {
  readonly controls: readonly string[];
  readonly sayingOf: (read: RowReader) => RowSaying<Said>;
};

const zonesOf = ({ configuration: { timeZone }, channel }: Reading) => ({
  timeZone,
  channelZone: channel.timeZone ?? timeZone,
  statedZone: channel.timeZone,
});

const refundDates = (load: Reading, profile: RefundDatesProfile): Kind<RefundDate> => {
  const { amount } = profile.map;
  return {
    controls: typeof amount === 'string' ? [amount] : [],
    sayingOf: refundDateReader(profile, zonesOf(load)),
  };
};

const taxReport = (profile: TaxReportProfile, header: readonly string[]): Kind<ReportedTax> => ({
  controls: profile.taxLines.lines.flatMap(({ amount }) => (typeof amount === 'string' ? [amount] : [])),
  sayingOf: taxReportReader(profile, header),
});

const OUTCOMES = { said: 'accepted', other: 'ignored', rejected: 'rejected' } as const;

const readRows = async <Said extends object>(
  load: Reading,
  file: SourceFile,
  found: Detected & { readonly profile: CompanionProfile },
  { controls, sayingOf }: Kind<Said>,
  keep: (said: readonly Said[], asides: CompanionBatch['asides']) => Promise<void>,
): Promise<LoadedCompanion> => {
  const { profile, header, notices } = found;
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const outcomes = noOutcomes(meter.columns.length);
  const repaired = load.repaired.places.get(file.sha256);
  for await (const batch of batches(readCompanion(file, found, profile, sayingOf), BATCH_ROWS)) {
    const said: Said[] = [];
    const asides: CompanionBatch['asides'][number][] = [];
    for (const row of batch) {
      meter.pass(row.row);
      const controls = controlsText(meter.of([row.row]));
      const isRepaired = repaired?.has(row.row.line) ?? false;
      const outcome: RecordOutcome = isRepaired ? 'ignored' : OUTCOMES[row.kind];
      outcomes[outcome].records += 1;
      addControlsText(outcomes[outcome], controls, file.place);
      if (isRepaired) continue;
      if (row.kind === 'said') said.push(row.said);
      if (row.kind === 'rejected') asides.push({ aside: row.aside, controls });
    }
    await keep(said, asides);
  }
  const passed = { columns: meter.columns, ...meter.passed() };
  const all = [...notices, ...noRowsNotice(passed.whole.rows)];
  return { file: readFile(file, found, passed, all), outcomes, kind: profile.capability };
};
