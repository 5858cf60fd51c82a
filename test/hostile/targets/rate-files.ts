import { Readable } from 'node:stream';
import fc from 'fast-check';
import { loadContent } from '../../../src/content/load-content.ts';
import { parseFile } from '../../../src/import/plan-import.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inTime, refusedClearly } from '../fuzz-target.ts';

const NONE = 'n/a\tn/a\tn/a';
const place = (id: string, name: string): string => id + name.padEnd(25) + 'COOK'.padEnd(25);

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
  'taxrates.txt': [
    '1\t20264\t4th Quarter 2026\tSALES\t.0625\t0\t2\tmessage',
    '20264\tq\t01/20/2027',
    `Round Rock\t2246018\t.015000\tWilliamson Co\t4246000\t.005000\t${NONE}\t${NONE}`,
    `Austin\t2227016\t.010000\t${NONE}\tAustin MTA\t3227999\t.010000\t${NONE}`,
  ],
  'ordmache-current.txt': [
    `${place('0160010001', 'CHICAGO')}N20260101105000175010500${'01750'}N`.padEnd(211),
    `${place('0160020001', 'EVANSTON')}Y20260101000000175000000${'01750'}N`.padEnd(211),
  ],
  'Rates_26Q4.csv': [
    'NAME,CODE,STATE,LOCAL,RTA,RATE,EFFECTIVE DATE,EXPIRATION DATE',
    'SEATTLE,1726,.065,.0265,.0140,.1055,20261001,20261231',
    'YAKIMA,3913,.065,.0180,.0000,.0830,20261001,20261231',
  ],
  'SalesTaxRates7-1-26.csv': [
    'Effective Sales and Use Tax Rates',
    'Location,Rate,County,Type,Notes',
    'Oakland,0.1125,Alameda,City',
    '"Emeryville, old",0.1,Alameda,City,',
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
