import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { ColumnSums } from '../close/reconcile/control-totals.ts';
import type { Detected } from '../close/sales/detect-profile.ts';
import type { SurveyedFile } from '../close/sales/files/survey-file.ts';
import type { Sale, SetAside } from '../close/sales/sale.ts';
import type { TieoutError } from '../kernel/errors.ts';
import type { ChannelConfiguration } from '../read/channel-load.ts';

/** The rows of a file, and their outcomes. */
type Tally = { readonly [Side in 'rows' | 'used' | 'ignored' | 'rejected']: number };

/** The result that a file would have in a close. */
export type Trial = {
  readonly file: SurveyedFile;
  readonly detected: Detected;
  readonly tally: Tally;
  readonly columns: Readonly<Record<string, ColumnSums>>;
  readonly sales: readonly Sale[];
  readonly setAsides: readonly SetAside[];
};

/** A file that cannot be used, and why. */
export type FailedTrial = { readonly name: string; readonly error: TieoutError };

/** A channel, and the configuration of its seller. */
export type TrialChannel = {
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
};

/** Reads files as a close would, all as exports of one channel. */
export type TryExports = (
  channel: TrialChannel,
  entries: readonly string[],
) => Promise<readonly (Trial | FailedTrial)[]>;
