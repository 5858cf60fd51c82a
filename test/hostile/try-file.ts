import { parse } from 'csv-parse/sync';
import type { LoadedConfiguration } from '../../src/close/configuration/load-configuration.ts';
import { Configuration } from '../../src/close/configuration/schema.ts';
import { knownProfiles } from '../../src/close/sales/load-profiles.ts';
import { tryExports } from '../../src/close/stages/extract/try-exports.ts';
import { openWorkspace } from '../../src/close/workspace/workspace.ts';
import { connect } from '../../src/database/connect.ts';

const plain = (path: string): string => path;
const configuration: LoadedConfiguration = {
  ...Configuration.parse({
    entity: 'hostile',
    name: 'Hostile',
    timeZone: 'America/Los_Angeles',
    shipFrom: { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '1 Pier' },
    registrations: [{ state: 'CA', since: '2020-01-01' }],
    channels: [{ name: 'shop', files: ['shop'] }],
  }),
  file: '',
  resolvePath: plain,
  resolveUrl: plain,
};
const profiles = knownProfiles(undefined, plain);

/** How a file fared: refused under a code, or read with so many rows. */
export type Verdict =
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'read'; readonly rows: number; readonly rejected: number };

/**
 * Run one file through all of extract. It throws when a row is lost: the trial itself proves the counts and the column
 * sums on a second path, and where a bare parser can read the file too, its count must be the same.
 */
export const tryFile = async (path: string, bytes: Buffer): Promise<readonly Verdict[]> => {
  const [channel] = configuration.channels;
  if (!channel) throw new Error('there is no channel');
  const withScratch: Parameters<typeof tryExports>[0]['withScratch'] = async (work) => {
    const database = await connect('sqlite::memory:');
    try {
      return await work(await openWorkspace(database, 'hostile'));
    } finally {
      await database.close();
    }
  };
  const trials = await tryExports({ withScratch, configuration, channel, profiles }, [path]);
  return trials.map((trial): Verdict => {
    if ('error' in trial) {
      const { code, recovery, message, nextStep } = trial.error;
      if (recovery !== 'fix-input' || message.length < 10 || nextStep.length < 10)
        throw new Error(`${path}: unclear refusal ${code} ${message}`);
      return { kind: 'refused', code };
    }
    const { tally, detected, file } = trial;
    const expected = file.packing.kind === 'none' ? bareCount(bytes, detected.header) : undefined;
    if (expected !== undefined && expected !== tally.rows)
      throw new Error(`${path}: ${tally.rows} rows were read, a bare parser finds ${expected}`);
    return { kind: 'read', rows: tally.rows, rejected: tally.rejected };
  });
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
