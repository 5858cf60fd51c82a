import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tieout } from '../support/tieout.ts';
import { HISTORY_CONFIGURATION, randomHistory, type Step } from '../ways/random-history.ts';
import { inFolder } from './in-folder.ts';
import { manifestTexts } from './pack-texts.ts';
import { stepText } from './step-text.ts';

/** Live the random histories of these seeds in this process, and print the figures after each command as JSON. */
const live = (seed: number): Promise<string> =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'tieout.yaml'), HISTORY_CONFIGURATION);
    const told: string[] = [];
    for (const step of randomHistory(seed)) {
      if (step.does === 'export') {
        await writeFile(join(folder, 'orders.csv'), step.text);
        continue;
      }
      const args = wordsOf(step);
      const place = ['--config', join(folder, 'tieout.yaml')];
      const output = ['--output', join(folder, 'out')];
      told.push(stepText(args, await tieout([...args, ...place, ...output, '--json']), folder));
      for (const [period, figures] of await manifestTexts(join(folder, 'out')))
        told.push(`books of ${period}\n${figures}`);
    }
    return told.join('\n');
  });

const wordsOf = (step: Exclude<Step, { readonly does: 'export' }>): readonly string[] => {
  switch (step.does) {
    case 'backfill':
      return ['backfill', '2026-10..2026-11'];
    case 'close':
      return ['close', step.period];
    case 'lock':
      return ['lock', step.period, '--open-exceptions', 'drawn by chance'];
  }
};

const texts: (readonly [string, string])[] = [];
for (const seed of process.argv.slice(2).map(Number))
  texts.push([`seed-${String(seed).padStart(2, '0')}.txt`, await live(seed)]);
process.stdout.write(JSON.stringify(texts));
