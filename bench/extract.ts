import { createReadStream, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { Configuration } from '../src/close/configuration/schema.ts';
import { NOTHING_DECIDED } from '../src/close/decisions/decision.ts';
import { detectProfile } from '../src/close/sales/detect-profile.ts';
import { surveyFile } from '../src/close/sales/files/survey-file.ts';
import { knownProfiles } from '../src/close/sales/load-profiles.ts';
import { provenProfile, readExport } from '../src/close/sales/read-export.ts';
import type { SaleContext } from '../src/close/sales/read-sale.ts';
import { isSalesProfile } from '../src/close/sales/shipped-profiles.ts';
import { loadChannel } from '../src/close/stages/extract/load-channel.ts';
import { RECORDS_OF_BLOCK } from '../src/close/stages/extract/reading/channel-load.ts';
import { openWorkspace } from '../src/close/workspace/workspace.ts';
import { connect } from '../src/database/connect.ts';
import { zoneCalendar } from '../src/kernel/calendar.ts';
import { holdMemory } from '../src/runtime/hold-memory.ts';
import { writeMonth } from './month/write-month.ts';

/**
 * `npm run bench:extract [rows] [rounds]`: reading an export of 79 columns into sales, against bare csv-parse on
 * arrays over the same file, in turn in one process; then once more with the workspace.
 */
// As the command does.
holdMemory();
const [rows = 200_000, rounds = 3] = process.argv.slice(2).map(Number);
const TIME_ZONE = 'America/Los_Angeles';
const MB = 1024 * 1024;

const folder = join(tmpdir(), `tieout-bench-${rows}`);
const path = join(folder, 'orders.csv');
// Two rows an order, on average.
if (!existsSync(path)) await writeMonth(folder, rows / 2);
const source = { name: 'orders.csv', place: path, path, packing: { kind: 'none' } } as const;

const bare = async (): Promise<number> => {
  let count = 0;
  for await (const cells of createReadStream(path).pipe(parse()))
    count += (cells as string[]).length > 0 ? 1 : 0;
  return count;
};

const shipFrom = { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '1 Pier' } as const;
const calendar = zoneCalendar(TIME_ZONE);
const profiles = knownProfiles(undefined, (name) => name);
const context: SaleContext = {
  channel: 'shop',
  file: 'orders.csv',
  calendar,
  timeZone: TIME_ZONE,
  channelZone: TIME_ZONE,
  sellerPlace: shipFrom,
  locations: {},
  isMarketplace: false,
  categoryOf: () => null,
  isFee: () => false,
};

const survey = async (): Promise<number> => (await surveyFile(source)).bytes;

const read = async (): Promise<number> => {
  const file = await surveyFile(source);
  const detected = await detectProfile(file, profiles.profiles);
  if (!isSalesProfile(detected.profile)) throw new Error('this is not a sales export');
  const profile = await provenProfile(detected.profile, detected, file.name);
  let count = 0;
  for await (const batch of readExport(detected, profile, context, { batchSize: 250 }))
    for (const { group } of batch) count += group.rows.length;
  return count;
};

const store = async (): Promise<number> => {
  const database = await connect('sqlite::memory:');
  try {
    const workspace = await openWorkspace(database, 'bench');
    const configuration = Configuration.parse({
      entity: 'bench',
      name: 'Bench',
      timeZone: TIME_ZONE,
      shipFrom,
      registrations: [{ state: 'CA', since: '2020-01-01' }],
      channels: [{ name: 'shop', files: ['orders.csv'] }],
    });
    const [channel] = configuration.channels;
    if (!channel) throw new Error('there is no channel');
    const plain = (name: string) => name;
    await loadChannel(
      {
        configuration: {
          ...configuration,
          decided: NOTHING_DECIDED,
          file: '',
          named: [],
          resolvePath: plain,
          resolveUrl: plain,
        },
        workspace,
        channel,
        profiles,
        sources: [await surveyFile(source)],
        companions: [],
        leftOut: [],
        digest: 'bench',
        basis: 'bench',
        recordsOfBlock: RECORDS_OF_BLOCK,
        calendar,
      },
      () => {},
    );
    return rows;
  } finally {
    await database.close();
  }
};

const seconds = async (work: () => Promise<number>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const rounded = (value: number): number => Number(value.toFixed(2));

const times = { bare: [] as number[], survey: [] as number[], read: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  times.bare.push(await seconds(bare));
  times.read.push(await seconds(read));
  times.survey.push(await seconds(survey));
}
const ratios = times.bare.map((time, round) => (times.read[round] ?? 0) / time);
const peakReadMb = Math.round(process.resourceUsage().maxRSS / 1024);
const stored = rows <= 200_000 ? rounded(await seconds(store)) : undefined;

process.stdout.write(
  `${JSON.stringify({
    rows,
    rounds,
    bareSeconds: rounded(median(times.bare)),
    readSeconds: rounded(median(times.read)),
    surveySeconds: rounded(median(times.survey)),
    ratio: rounded(median(ratios)),
    peakReadMb,
    ...(stored !== undefined && { withWorkspaceSeconds: stored }),
    heapMb: Math.round(process.memoryUsage().heapUsed / MB),
  })}\n`,
);
