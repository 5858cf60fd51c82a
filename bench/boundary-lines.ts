import { closeSync, openSync, writeSync } from 'node:fs';

/** A state of the size of a large one, with invented streets, in the Streamlined layout of 89 fields. */
export const STATE = { code: 'KS', fips: '20', firstZip: 66_002, zips: 750, counties: 105 } as const;

const FIELDS = 89;
/** Of a hundred records: house numbers, and ZIP+4. The rest are whole ZIPs. */
const HOUSES = 70;
const CODES = 29;
/** Streets and areas of a ZIP; some of them its neighbours share. */
const STREETS_OF_ZIP = 120;
const AREAS_OF_ZIP = 5;
const HOUSE_RANGES = 100;
const SUFFIXES = ['ST', 'AVE', 'RD', 'DR', 'LN', 'CT'] as const;
const BLOCK = 10_000;

type Draw = (below: number) => number;

/** Numbers that look random, and are the same in each run. */
export const drawer = (seed: number): Draw => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
};

const streetOf = (zip: number, draw: Draw): readonly [string, string] => {
  const index = zip * 60 + draw(STREETS_OF_ZIP);
  return [`STREET ${index.toString(36).toUpperCase()}`, SUFFIXES[index % SUFFIXES.length] ?? 'ST'];
};

const lowest = (draw: Draw): number => draw(HOUSE_RANGES) * 200 + 101;

/** An address in the ZIP that has this number in the state. */
export const addressIn = (zip: number, draw: Draw) => ({
  zip: String(STATE.firstZip + zip),
  plus4: String(draw(10_000)).padStart(4, '0'),
  street: `${lowest(draw) + 8} N ${streetOf(zip, draw).join(' ')}`,
});

/** Write a boundary file of so many bytes. Answers the number of its lines. */
export const writeBoundaryFile = (path: string, bytes: number): number => {
  const file = openSync(path, 'w');
  const draw = drawer(1);
  let [written, lines] = [0, 0];
  while (written < bytes) {
    const block = Array.from({ length: BLOCK }, (_, index) => lineOf(lines + index, draw));
    lines += block.length;
    written += writeSync(file, `${block.join('\n')}\n`);
  }
  closeSync(file);
  return lines;
};

const lineOf = (index: number, draw: Draw): string => {
  const zip = index % STATE.zips;
  const fields = new Array<string>(FIELDS).fill('');
  for (const cells of [areaCells(zip + draw(AREAS_OF_ZIP), draw), placeCells(zip, draw)])
    for (const [field, value] of Object.entries(cells)) fields[Number(field) - 1] = value;
  return fields.join(',');
};

type Cells = Readonly<Record<number, string>>;

const areaCells = (area: number, draw: Draw): Cells => {
  const isOver = draw(100) < 15;
  const districts = Array.from({ length: area % 4 }, (_, group) => [
    [30 + group * 3, STATE.fips],
    [31 + group * 3, `D${100 + ((area * 7 + group) % 1_400)}`],
    [32 + group * 3, '63'],
  ]).flat();
  return {
    2: isOver ? '20150101' : '20240101',
    3: isOver ? '20231231' : '29991231',
    23: STATE.fips,
    24: STATE.fips,
    25: String((area % STATE.counties) * 2 + 1).padStart(3, '0'),
    26: area % 3 === 0 ? '' : String(10_000 + area),
    ...Object.fromEntries(districts),
  };
};

const placeCells = (zip: number, draw: Draw): Cells => {
  const code = String(STATE.firstZip + zip);
  const kind = draw(100);
  if (kind < HOUSES) {
    const [name, suffix] = streetOf(zip, draw);
    const low = lowest(draw);
    const address = { 4: String(low), 5: String(low + 98), 6: 'B', 7: 'N', 8: name, 9: suffix };
    return { 1: 'A', ...address, 15: 'MADEUP', 16: code, 17: String(draw(10_000)).padStart(4, '0') };
  }
  if (kind >= HOUSES + CODES) return { 1: 'Z', 18: code, 20: code };
  const low = draw(2_000) * 5;
  const [from, to] = [low, low + draw(5)].map((plus4) => String(plus4).padStart(4, '0'));
  return { 1: '4', 18: code, 19: from ?? '', 20: code, 21: to ?? '' };
};
