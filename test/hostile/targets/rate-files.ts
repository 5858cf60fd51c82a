import { Readable } from 'node:stream';
import fc from 'fast-check';
import { loadContent } from '../../../src/content/load-content.ts';
import { parseFile } from '../../../src/import/plan-import.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inTime, refusedClearly } from '../fuzz-target.ts';

/** The beginnings of the official layouts, with invented figures. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'NER2026Q2FEB18.csv': [
    '31,45,31,0.0550,0.0550,0.0550,0.0550,20061001,29991231',
    '31,00,043,0.0050,0.0050,0.0050,0.0050,20060101,20991231',
    '31,01,37000,0.0150,0.0150,0.0150,0.0150,20061001,20260331',
    '31,63,QX017,0.0025,0.0025,0,0,20240101,29991231',
  ],
  'NEB2026Q2FEB18.csv': [
    `Z,20240101,29991231,,,,,,,,,,,,,,,68102,,68102,,,31,31,055${','.repeat(64)}`,
    `a,20240101,29991231,101,199,O,N,MADEUP,ST,,,,,,OMAHA,68102,,,,,,,31,31,055,37000,,,,31,QX017,63${','.repeat(57)}`,
  ],
};

/** Official rate files, damaged. */
export const rateFiles: FuzzTarget = {
  name: 'rate files',
  share: 7_000,
  open: async () => {
    const content = loadContent();
    const file = fc.oneof(
      ...Object.entries(FILES).map(([name, lines]) =>
        damagedText(`${lines.join('\r\n')}\r\n`).map((bytes) => ({
          name,
          sha256: '',
          open: () => Readable.from([bytes]),
        })),
      ),
    );
    return {
      run: fuzzRun(file, (given) => inTime(refusedClearly(() => parseFile(given, content, [])))),
      close: async () => {},
    };
  },
};
