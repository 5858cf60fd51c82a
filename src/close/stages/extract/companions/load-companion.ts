import { batches } from '../../../../runtime/batches.ts';
import type { RecordOutcome } from '../../../reconcile/control-totals.ts';
import type { Detected } from '../../../sales/detect-profile.ts';
import type { CompanionProfile, RefundDatesProfile, TaxReportProfile } from '../../../sales/profile.ts';
import { type RowSaying, readCompanion } from '../../../sales/read-companion.ts';
import { refundDateReader } from '../../../sales/read-refund-dates.ts';
import { type ReportedTax, taxReportReader } from '../../../sales/read-tax-report.ts';
import type { RefundDate } from '../../../sales/refunds.ts';
import type { RowReader } from '../../../sales/row-reader.ts';
import { isCompanionProfile, isRefundDatesProfile } from '../../../sales/shipped-profiles.ts';
import { keepRepayments } from '../../../workspace/repayments.ts';
import { setAsideRow } from '../../../workspace/sale-rows.ts';
import { keepSetAsides } from '../../../workspace/set-asides.ts';
import type { SetAsideRow } from '../../../workspace/tables.ts';
import { keepReported } from '../../../workspace/tax-reports.ts';
import { BATCH_ROWS, type Workspace } from '../../../workspace/workspace.ts';
import { noOutcomes, type OutcomeFigures } from '../reading/account-for-files.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import { columnMeter } from '../reading/column-meter.ts';
import { addControlsText, controlsText } from '../reading/figures.ts';
import { noRowsNotice } from '../reading/file-notices.ts';
import { detected } from '../reading/open-export.ts';
import { type ReadFile, readFile } from '../reading/read-file.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { repaymentCounter } from '../refunds/repayment-rows.ts';

/** A companion file that was read, with the outcomes of its rows. */
export type LoadedCompanion = {
  readonly file: ReadFile;
  readonly outcomes: OutcomeFigures;
  readonly kind: CompanionProfile['capability'];
};

/** Read a companion file into the workspace, in batches. */
export const loadCompanion = async (load: OpenLoad, file: SourceFile): Promise<LoadedCompanion> => {
  const found = await detected(load, file, isCompanionProfile);
  const { profile } = found;
  return isRefundDatesProfile(profile)
    ? loadRows(load, file, found, refundDates(load, profile))
    : loadRows(load, file, found, taxReport(load, profile, found.header));
};

/** How one kind of companion file is read, and where its data is stored. */
type Kept<Said> = {
  readonly controls: readonly string[];
  readonly sayingOf: (read: RowReader) => RowSaying<Said>;
  readonly keep: (said: readonly Said[], within: Workspace) => Promise<void>;
};

const zonesOf = ({ configuration: { timeZone }, channel }: OpenLoad) => ({
  timeZone,
  channelZone: channel.timeZone ?? timeZone,
  statedZone: channel.timeZone,
});

const refundDates = (load: OpenLoad, profile: RefundDatesProfile): Kept<RefundDate> => {
  const { amount } = profile.map;
  const rowOf = repaymentCounter(load);
  return {
    controls: typeof amount === 'string' ? [amount] : [],
    sayingOf: refundDateReader(profile, zonesOf(load)),
    keep: (said, within) => keepRepayments(within, said.map(rowOf)),
  };
};

const taxReport = (
  load: OpenLoad,
  profile: TaxReportProfile,
  header: readonly string[],
): Kept<ReportedTax> => {
  const { channel } = load;
  return {
    controls: profile.taxLines.lines.flatMap(({ amount }) => (typeof amount === 'string' ? [amount] : [])),
    sayingOf: taxReportReader(profile, header),
    keep: (said, workspace) => keepReported({ workspace, channel }, said),
  };
};

const OUTCOMES = { said: 'accepted', other: 'ignored', rejected: 'rejected' } as const;

const loadRows = async <Said extends object>(
  load: OpenLoad,
  file: SourceFile,
  found: Detected & { readonly profile: CompanionProfile },
  { controls, sayingOf, keep }: Kept<Said>,
): Promise<LoadedCompanion> => {
  const { workspace } = load;
  const { profile, header, notices } = found;
  const meter = columnMeter({ place: file.place, header, profile, controls });
  const outcomes = noOutcomes(meter.columns.length);
  const repaired = load.repaired.places.get(file.sha256);
  for await (const batch of batches(readCompanion(file, found, profile, sayingOf), BATCH_ROWS)) {
    const said: Said[] = [];
    const asides: SetAsideRow[] = [];
    for (const row of batch) {
      meter.pass(row.row);
      const controls = controlsText(meter.of([row.row]));
      const isRepaired = repaired?.has(row.row.line) ?? false;
      const outcome: RecordOutcome = isRepaired ? 'ignored' : OUTCOMES[row.kind];
      outcomes[outcome].records += 1;
      addControlsText(outcomes[outcome], controls, file.place);
      if (isRepaired) continue;
      if (row.kind === 'said') said.push(row.said);
      if (row.kind === 'rejected') asides.push(setAsideRow(ownerOf(load), row.aside, { key: '', controls }));
    }
    await workspace.together(async (within) => {
      await keep(said, within);
      await keepSetAsides(within, asides);
    });
  }
  const passed = { columns: meter.columns, ...meter.passed() };
  const all = [...notices, ...noRowsNotice(passed.whole.rows)];
  return { file: readFile(file, found, passed, all), outcomes, kind: profile.capability };
};
