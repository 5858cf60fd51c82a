import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { EXPORTS, recordLines, trialsIn, trialsOf } from '../samples/exports/list-sample.ts';
import { damaged, HARMLESS, tableOf } from './harmless-damage.ts';

const undamaged = async (sample: string) => {
  const [trial] = await trialsOf(sample);
  if (!trial || 'error' in trial) throw new Error(`${sample} cannot be read`);
  const text = await readFile(join(EXPORTS, sample, trial.file), 'utf8');
  return { name: trial.file, records: recordLines([trial]), table: tableOf(text, trial.header_line) };
};

const channelOf = (sample: string): object => {
  if (!readdirSync(join(EXPORTS, sample)).includes('channel.yaml')) return {};
  return parse(readFileSync(join(EXPORTS, sample, 'channel.yaml'), 'utf8')) as object;
};

/** Try every harmless damage on the exports of these samples. */
export const describeDamagedExports = (...samples: readonly string[]): void =>
  describe.for(samples.map((sample) => [sample] as const))('an export of %s', ([sample]) => {
    let whole: ReturnType<typeof undamaged> | undefined;
    const damages = HARMLESS.filter(({ not }) => !not?.includes(sample));
    test.for(damages.map((damage) => [damage.about, damage] as const))(
      'says the same with %s',
      async ([, damage]) => {
        whole ??= undamaged(sample);
        const { name, records, table } = await whole;
        const folder = await mkdtemp(join(tmpdir(), 'tieout-damage-'));
        onTestFinished(() => rm(folder, { recursive: true, force: true }));
        await writeFile(join(folder, name), damaged(table, damage));
        const read = recordLines(await trialsIn(folder, [name], channelOf(sample)));
        expect(read).toEqual([...records, ...(damage.adds ?? [])]);
      },
    );
  });
