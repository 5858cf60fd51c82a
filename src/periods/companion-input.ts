import type { InputFile } from '../figures/period-report.ts';

type Companion = Pick<InputFile, 'path' | 'sha256' | 'bytes' | 'used' | 'ignored' | 'rejected'>;

/** Returns a file that is not an export of sales as it stands among the inputs: each of its rows is a record. */
export const inputOf = (file: Companion, channel: string): InputFile => {
  const { path, sha256, bytes, used, ignored, rejected } = file;
  return {
    ...{ path, sha256, bytes, used, ignored, rejected, rows: used + ignored + rejected },
    ...{ channel, profile: channel, columns: [], notices: [] },
    records: { accepted: used, warning: 0, review: 0, ignored, rejected },
  };
};
