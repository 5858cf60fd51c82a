import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGiven, launch } from '../../support/tieout.ts';
import { inFolder } from '../in-folder.ts';
import { packTexts, type Texts } from '../pack-texts.ts';
import { stepText } from '../step-text.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/harbor-and-pine', import.meta.url));

/** October 2026 of the sample merchant, closed once. */
export const sampleMonth = (): Promise<Texts> =>
  inFolder(async (folder) => {
    await cp(SAMPLE, folder, { recursive: true, filter: isGiven });
    const args = ['close', '2026-10', '--config', 'tieout.yaml', '--output', 'out', '--json'];
    const ran = await launch(args, { cwd: folder });
    const texts = new Map(await packTexts(join(folder, 'out', 'harbor-and-pine', '2026-10')));
    return texts.set('printed.txt', stepText(args, ran, folder));
  });
