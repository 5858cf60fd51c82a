import { type FileControls, rowsOf, USED } from '../../../reconcile/control-totals.ts';
import type { Profile, SalesProfile } from '../../../sales/profile.ts';
import { missingRefundColumns } from '../../../sales/refund-columns.ts';
import type { SaleFinding } from '../../../sales/sale.ts';
import { isSalesProfile } from '../../../sales/shipped-profiles.ts';
import type { SourceFileRow } from '../../../workspace/tables.ts';
import type { OutcomeFigures } from './account-for-files.ts';
import type { NumberedLoad } from './channel-load.ts';
import type { Passed } from './column-meter.ts';
import type { FileDays } from './file-days.ts';
import type { FileNotes } from './file-notes.ts';
import type { SourceFile } from './source-file.ts';

/** A file that was read to its end: its description and its totals. */
export type ReadFile = Omit<FileControls, 'outcomes'> & {
  readonly file: SourceFile;
  readonly profile: string;
  readonly header: readonly string[];
  readonly notices: readonly SaleFinding[];
  /** Whether its records state what was refunded. If they do not, only companion files do. */
  readonly tellsRefunds: boolean;
};

/** A file of sales, with the days of its records and the places of business they name. */
export type ReadSales = ReadFile & FileDays & Pick<FileNotes, 'places'>;

export const readFile = (
  file: SourceFile,
  { profile, header }: { readonly profile: Profile; readonly header: readonly string[] },
  passed: Passed & Pick<ReadFile, 'columns'>,
  notices: readonly SaleFinding[],
): ReadFile => ({
  file,
  profile: `${profile.id}@${profile.version}`,
  header,
  notices,
  tellsRefunds: isSalesProfile(profile) && tellsRefunds(profile, header),
  columns: passed.columns,
  whole: passed.whole,
  firstUnreadable: passed.firstUnreadable,
});

const tellsRefunds = (profile: SalesProfile, header: readonly string[]): boolean => {
  const { map, packedRefunds, rules } = profile;
  if (packedRefunds !== undefined || rules.some(({ treat, as }) => treat === 'refund' || as === 'refund'))
    return true;
  if (missingRefundColumns(profile, header).length > 0) return false;
  return map.refunded !== undefined || rules.some(({ fullyRefunded }) => fullyRefunded);
};

type KeptFile = Omit<ReadFile, 'file' | 'tellsRefunds'> & {
  readonly file: Pick<SourceFile, 'name' | 'sha256' | 'bytes'>;
};

/** Returns the row for a file in the workspace: its rows and sums as they were read, and their outcomes. */
export const sourceFileRow = (
  { workspace, channel }: Pick<NumberedLoad, 'workspace' | 'channel'>,
  { file, profile, header, notices, columns, whole, firstUnreadable }: KeptFile,
  outcomes: OutcomeFigures,
): SourceFileRow => {
  const controls: FileControls = { columns, whole, outcomes, firstUnreadable };
  return {
    entity: workspace.entity,
    channel: channel.name,
    path: file.name,
    sha256: file.sha256,
    bytes: file.bytes,
    profile,
    header: JSON.stringify(header),
    rows: whole.rows,
    used: rowsOf(controls, ...USED),
    ignored: rowsOf(controls, 'ignored'),
    rejected: rowsOf(controls, 'rejected'),
    controls: JSON.stringify(controls),
    notices: JSON.stringify(notices),
  };
};
