import { type FileControls, rowsOf, USED } from '../close/reconcile/input-exceptions.ts';
import type { Profile, SalesProfile } from '../close/sales/profile.ts';
import { missingRefundColumns } from '../close/sales/refund-columns.ts';
import type { SaleFinding } from '../close/sales/sale.ts';
import { isSalesProfile } from '../close/sales/shipped-profiles.ts';
import type { OutcomeFigures } from './account-for-files.ts';
import type { ChannelConfiguration } from './channel-load.ts';
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

/** A file of the exports with its rows and sums as they were read, and their outcomes. */
export type SourceFileRow = {
  readonly channel: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly profile: string;
  /** Its header cells, a JSON list. */
  readonly header: string;
  /** Rows after the header as they were read, and their outcomes. `used + ignored + rejected = rows`. */
  readonly rows: number;
  readonly used: number;
  readonly ignored: number;
  readonly rejected: number;
  /** Its `FileControls`: the same totals by column of money and by outcome. */
  readonly controls: string;
  /** Unusual properties of a file that could be read: a list of `SaleFinding`. */
  readonly notices: string;
};

/** Returns what is known of a file: its rows and sums as they were read, and their outcomes. */
export const sourceFileRow = (
  { channel }: { readonly channel: Pick<ChannelConfiguration, 'name'> },
  { file, profile, header, notices, columns, whole, firstUnreadable }: KeptFile,
  outcomes: OutcomeFigures,
): SourceFileRow => {
  const controls: FileControls = { columns, whole, outcomes, firstUnreadable };
  return {
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
