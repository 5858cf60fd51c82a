import { parse } from 'csv-parse/sync';
import { detectProfile, knownProfiles } from '../../src/sales/detect-profile.ts';
import { expandFiles, surveyFile } from '../../src/sales/survey-file.ts';
import { tieout } from '../support/tieout.ts';

const plain = (path: string): string => path;
const { profiles } = knownProfiles(undefined, plain);

/** How a file fared: refused under a code, or read with so many rows. */
export type Verdict =
  | {
      readonly kind: 'refused';
      readonly code: string;
    }
  | {
      readonly kind: 'read';
      readonly rows: number;
      readonly rejected: number;
    };

/** What `tieout profile test --json` prints of a file. */
type Tried =
  | { readonly error: Readonly<Record<'code' | 'message' | 'next_step', string>> & { exit_code: number } }
  | { readonly totals: Readonly<Record<'rows' | 'rejected', number>> };

const EXIT_CODE_FIX_INPUT = 65;

/**
 * Try one file as a close reads it. It throws when a row is lost: the command itself proves the counts and the column
 * sums on a second path, and where a bare parser can read the file too, its count must be the same.
 */
export const tryFile = async (path: string, bytes: Buffer): Promise<readonly Verdict[]> => {
  const ran = await tieout(['profile', 'test', path, '--time-zone', 'America/Los_Angeles', '--json']);
  const { files } = JSON.parse(ran.stdout) as { readonly files?: readonly Tried[] };
  if (files === undefined) throw new Error(`${path}: ${ran.stdout}${ran.stderr}`);
  const verdicts: Verdict[] = [];
  for (const tried of files) {
    if ('error' in tried) {
      const { code, message, next_step, exit_code } = tried.error;
      if (exit_code !== EXIT_CODE_FIX_INPUT || message.length < 10 || next_step.length < 10)
        throw new Error(`${path}: unclear refusal ${code} ${message}`);
      verdicts.push({ kind: 'refused', code });
      continue;
    }
    const { rows, rejected } = tried.totals;
    const expected = await countOf(path, bytes);
    if (expected !== undefined && expected !== rows)
      throw new Error(`${path}: ${rows} rows were read, a bare parser finds ${expected}`);
    verdicts.push({ kind: 'read', rows, rejected });
  }
  return verdicts;
};

/** Rows of a file that is in no archive, as a bare parser counts them below the header that was detected. */
const countOf = async (path: string, bytes: Buffer): Promise<number | undefined> => {
  const [source] = await expandFiles([path], plain);
  if (source?.packing !== 'none') return undefined;
  const { header } = await detectProfile(await surveyFile(source), profiles);
  return bareCount(bytes, header);
};

/** Filled records behind the header, as csv-parse alone finds them; `undefined` where it cannot say. */
const bareCount = (bytes: Buffer, header: readonly string[]): number | undefined => {
  try {
    const options = { relax_column_count: true, bom: true, record_delimiter: ['\r\n', '\n', '\r'] };
    const records = parse(bytes, options) as string[][];
    const at = records.findIndex((cells) => cells.join('\u0001') === header.join('\u0001'));
    if (at < 0) return undefined;
    return records.slice(at + 1).filter((cells) => cells.some((cell) => cell.trim() !== '')).length;
  } catch {
    // A preamble, a delimiter or an encoding that only the detection understands.
    return undefined;
  }
};
