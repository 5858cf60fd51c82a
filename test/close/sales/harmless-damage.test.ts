import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { EXPORTS, trialsIn, trialsOf } from '../../samples/exports/list-sample.ts';
import { damaged, HARMLESS, tableOf } from './harmless-damage.ts';
import { recordLines } from './record-lines.ts';

/** Each shape of file, with and without a preamble, a footer, packed cells and places of business. */
const SAMPLES = ['shopify.orders', 'amazon.date-range', 'ebay.orders', 'bigcommerce.orders', 'square.items'];

const undamaged = async (sample: string) => {
  const [trial] = await trialsOf(sample);
  if (!trial || 'error' in trial) throw new Error(`${sample} cannot be read`);
  const text = await readFile(join(EXPORTS, sample, trial.file), 'utf8');
  return {
    name: trial.file,
    records: recordLines([trial]),
    table: tableOf(text, trial.header_line),
  };
};

const channelOf = (sample: string): object => {
  if (!readdirSync(join(EXPORTS, sample)).includes('channel.yaml')) return {};
  return parse(readFileSync(join(EXPORTS, sample, 'channel.yaml'), 'utf8')) as object;
};

describe.for(SAMPLES.map((sample) => [sample] as const))('an export of %s', ([sample]) => {
  const damages = HARMLESS.filter(({ not }) => !not?.includes(sample));
  test.for(damages.map((damage) => [damage.about, damage] as const))(
    'says the same with %s',
    async ([, damage]) => {
      const { name, records, table } = await undamaged(sample);
      const folder = await mkdtemp(join(tmpdir(), 'tieout-damage-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, name), damaged(table, damage));
      const read = recordLines(await trialsIn(folder, [name], channelOf(sample)));
      expect(read).toEqual([...records, ...(damage.adds ?? [])]);
    },
  );
});
