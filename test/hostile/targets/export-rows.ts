import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { zoneCalendar } from '../../../src/kernel/time-zones.ts';
import { detectProfile, isSalesProfile, knownProfiles } from '../../../src/sales/detect-profile.ts';
import type { FileSource } from '../../../src/sales/file-source.ts';
import type { Profile } from '../../../src/sales/profile.ts';
import { provenProfile } from '../../../src/sales/read-date.ts';
import { readExport } from '../../../src/sales/read-export.ts';
import type { SaleContext } from '../../../src/sales/read-sale.ts';
import { surveyFile } from '../../../src/sales/survey-file.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inFolder, inTime, refusedClearly } from '../fuzz-target.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url);
const ROWS = 3;

const CONTEXT: SaleContext = {
  channel: 'shop',
  file: 'export.csv',
  calendar: zoneCalendar('America/Los_Angeles'),
  timeZone: 'America/Los_Angeles',
  sellerPlace: {
    country: 'US',
    state: 'CA',
    zip: '90404',
    city: 'Santa Monica',
    street: '1 Main St',
  },
  locations: {},
  shops: new Set(),
  isMarketplace: false,
  categoryOf: () => null,
  pickup: [],
  facilitates: () => true,
  isFee: () => false,
};

/** The header and the first rows of every sample. */
const sampleHeads = async (): Promise<readonly string[]> => {
  const paths = (await readdir(SAMPLES, { recursive: true })).filter((path) => path.endsWith('.csv')).sort();
  const texts = await Promise.all(paths.map((path) => readFile(new URL(path, SAMPLES), 'utf8')));
  return [...new Set(texts.map((text) => `${text.split('\n', ROWS + 1).join('\n')}\n`))];
};

/** Every row below the header, and how many of them stand in the records that were made of them. */
const readRows = async (source: FileSource, profiles: readonly Profile[]): Promise<void> => {
  const detected = await detectProfile(await surveyFile(source), profiles);
  const { profile } = detected;
  if (!isSalesProfile(profile)) return;
  const proven = await provenProfile(profile, detected, CONTEXT.file);
  let rows = 0;
  let recorded = 0;
  const count = () => {
    rows += 1;
  };
  for await (const batch of readExport(detected, proven, CONTEXT, { batchSize: ROWS, onRow: count })) {
    for (const { group, record } of batch) {
      recorded += group.rows.length;
      JSON.stringify(record);
    }
  }
  if (rows !== recorded) throw new Error(`${rows} rows were read, and ${recorded} stand in records`);
};

/** The first rows of exports of every kind, read as a close reads them: refused clearly, or no row is lost. */
export const exportRows: FuzzTarget = {
  name: 'export rows',
  share: 3_000,
  open: () =>
    inFolder(async (folder) => {
      const path = join(folder, CONTEXT.file);
      const source: FileSource = { name: CONTEXT.file, place: path, path, packing: 'none' };
      const { profiles } = knownProfiles(undefined, (same) => same);
      const given = fc.oneof(...(await sampleHeads()).map(damagedText));
      return fuzzRun(given, async (bytes) => {
        await writeFile(path, bytes);
        await inTime(refusedClearly(() => readRows(source, profiles)));
      });
    }),
};
