import type { TaxResult } from '../contract/tax-result.ts';
import { add, allocate, type Money, type Rate, subtract, sum, ZERO, ZERO_RATE } from '../kernel/money.ts';
import { usRegionCode } from '../kernel/us-regions.ts';
import { addUpTo, type Sale, type TaxLine } from '../sales/sale.ts';
import { remembered } from '../sales/table-row.ts';
import {
  type Level,
  type LeviedLevel,
  leviedBy,
  sumsBy,
  type TaxModel,
  topRates,
  weightsBy,
} from './tax-model.ts';

/**
 * One jurisdiction's tax on one sale, and the tax collected for it. Summed over all levels, `tax` equals the expected
 * tax and `collected` the collected tax, to the cent.
 */
export type LevelFigures = Omit<LeviedLevel, 'level'> & {
  /** `other`: a tax of the shop whose name gives no level and which matches no level of the calculation. */
  readonly level: Level | 'other';
  readonly collected: Money;
};

type Collected = Pick<Sale, 'salesTax' | 'taxLines' | 'shipTo'>;

/**
 * The figures of a sale by level. Collected tax is allocated by the shop's own lines if they add up to it; otherwise by
 * the proved calculation of the shop, or in proportion to the tax levied. If nothing is levied, all of it is allocated
 * to the state, which will claim it.
 *
 * @param model the proved calculation of the shop, which shows for whom it collected
 */
export const levelFiguresOf = (
  result: TaxResult | undefined,
  sale: Collected,
  model: TaxModel | undefined,
): readonly LevelFigures[] => {
  const { salesTax: collected, taxLines, shipTo } = sale;
  const levied = result ? leviedBy(result) : [];
  if (taxLines.length > 0 && addUpTo(taxLines, collected)) return byLines(result, levied, sale);
  if (levied.length === 0) {
    const rate = (model && topRates(model).get('state')) ?? ZERO_RATE;
    const whole = { ...wholeOf(result, shipTo.state), rate, collected };
    return collected === ZERO && whole.tax === ZERO ? [] : [whole];
  }
  const proved = model && weightsBy(sumsBy(model, (_, { level }) => level));
  const weights = levied.map(({ level }) => proved?.get(level) ?? 0);
  const isProved = weights.some((weight) => weight > 0);
  const parts = allocate(collected, isProved ? weights : levied.map(({ tax }) => Math.abs(tax)));
  return levied.map((level, index) => ({ ...level, collected: parts[index] ?? ZERO }));
};

/** The tax of a calculation without levels, as the state's. */
const wholeOf = (result: TaxResult | undefined, state: string): LeviedLevel => ({
  level: 'state',
  name: state,
  rate: ZERO_RATE,
  taxable: result?.taxable_amount ?? ZERO,
  tax: result?.amount_to_collect ?? ZERO,
});

/**
 * Collected tax by the shop's lines, with the calculation's expected tax; a line without a level is a row of its own.
 */
const byLines = (
  result: TaxResult | undefined,
  levied: readonly LeviedLevel[],
  { salesTax: collected, taxLines, shipTo: { state } }: Collected,
): readonly LevelFigures[] => {
  const whole = wholeOf(result, state);
  const levels = levied.length === 0 && whole.tax !== ZERO ? [whole] : levied;
  const names = namesOf(result, state);
  const { groups, unmatched } = matchTaxLines(taxLines, levels, names);
  const own = new Map<LeviedLevel, Money>();
  for (const group of groups) {
    const parts = allocate(
      sum(group.lines.map(({ amount }) => amount)),
      group.levels.map(({ tax }) => Math.abs(tax)),
    );
    group.levels.forEach((level, index) => {
      own.set(level, parts[index] ?? ZERO);
    });
  }
  const rows: readonly LevelFigures[] = [
    ...levels.map((level) => ({ ...level, collected: own.get(level) ?? ZERO })),
    ...unmatched.map((line) => ({
      level: line.kind === null || line.kind === 'country' ? ('other' as const) : line.kind,
      name: jurisdictionOf(line, names),
      rate: line.rate ?? ZERO_RATE,
      taxable: ZERO,
      tax: ZERO,
      collected: line.amount,
    })),
  ];
  // Shops round line by line; the missing cents are allocated in proportion to the collected tax.
  const missed = subtract(collected, sum(rows.map((row) => row.collected)));
  if (missed === ZERO) return rows;
  const cents = allocate(
    missed,
    rows.map((row) => Math.abs(row.collected)),
  );
  return rows.map((row, index) => ({ ...row, collected: add(row.collected, cents[index] ?? ZERO) }));
};

/** The names of the jurisdictions of a sale; empty if unknown. */
export type JurisdictionNames = {
  readonly state: string;
  readonly county: string;
  readonly city: string;
};

/** Tax lines that together correspond to these levels. */
export type MatchedLines = {
  readonly levels: readonly LeviedLevel[];
  readonly lines: readonly TaxLine[];
};

/** The result of matching. Every line is in one group or unmatched; a level without lines is in no group. */
export type TaxLineMatch = {
  readonly groups: readonly MatchedLines[];
  readonly unmatched: readonly TaxLine[];
};

/** The jurisdictions of a calculation; without a calculation, only the destination state. */
export const namesOf = (result: TaxResult | undefined, state: string): JurisdictionNames => ({
  state: result?.jurisdictions?.state ?? state,
  county: result?.jurisdictions?.county ?? '',
  city: result?.jurisdictions?.city ?? '',
});

/** The jurisdiction of a line, in the calculation's spelling or else the shop's. */
export const jurisdictionOf = ({ name, kind, place }: TaxLine, names: JurisdictionNames): string => {
  if (kind === 'state' && (place === '' || isSameState(place, names.state))) return names.state;
  const known = kind === 'county' || kind === 'city' ? names[kind] : '';
  if (known !== '' && (place === '' || isSamePlace(place, known))) return known;
  return place === '' ? name : place;
};

/**
 * Match the lines of the shop with the levels of the calculation. First, lines with the name and the rate or tax of a
 * level; then all that are left, if they have the rate or tax of all levels that are left: a state's 7.25 % can be 6 % +
 * 0.25 % + 1 %; otherwise those with the name of a level. The order of the lines does not matter.
 */
export const matchTaxLines = (
  taxLines: readonly TaxLine[],
  levels: readonly LeviedLevel[],
  names: JurisdictionNames,
): TaxLineMatch => {
  const groups: MatchedLines[] = [];
  let lines = taxLines;
  let open = levels;
  const settle = (group: MatchedLines): void => {
    groups.push(group);
    lines = lines.filter((line) => !group.lines.includes(line));
    open = open.filter((level) => !group.levels.includes(level));
  };
  const calledLike = ({ level }: LeviedLevel): readonly TaxLine[] =>
    lines.filter((line) => isCalled(line, level, names));

  for (const level of levels) {
    const called = calledLike(level);
    const isWhole = haveRate(called, [level]) || haveTax(called, [level]);
    if (called.length > 0 && level.rate > 0 && isWhole) settle({ levels: [level], lines: called });
  }
  const rest = open.filter(({ rate }) => rate > 0);
  const isOfRest = lines.every((line) => isCalledLikeNoOther(line, names)) && comesTo(lines, rest);
  if (lines.length > 0 && rest.length > 0 && isOfRest) settle({ levels: rest, lines });
  for (const level of open) {
    const called = calledLike(level);
    if (called.length > 0) settle({ levels: [level], lines: called });
  }
  return { groups, unmatched: lines };
};

/** Whether a line has the name of the jurisdiction at a level. */
const isCalled = ({ kind, place }: TaxLine, level: Level, names: JurisdictionNames): boolean => {
  if (kind !== null && kind !== level) return false;
  if (level === 'special') return kind === 'special';
  if (level === 'state') return (kind === 'state' && place === '') || isSameState(place, names.state);
  if (kind !== null && (place === '' || isSameState(place, names.state))) return true;
  // Some plugins put the county before the city.
  return (
    isSamePlace(place, names[level]) || (kind !== null && isSamePlace(place, `${names.county} ${names.city}`))
  );
};

/** Whether a line names no other jurisdiction. A line that does is never matched to these levels, whatever its rate. */
const isCalledLikeNoOther = (line: TaxLine, names: JurisdictionNames): boolean =>
  line.kind === null ||
  line.kind === 'special' ||
  (line.kind !== 'country' && isCalled(line, line.kind, names));

/** Tolerance for sums of rates, since rates are printed with only two or more decimal places. */
const RATE_TOLERANCE = 500;

type Comes = (lines: readonly TaxLine[], levels: readonly LeviedLevel[]) => boolean;

const haveRate: Comes = (lines, levels) =>
  lines.every(({ rate }) => rate !== null) && Math.abs(ratesOf(lines) - ratesOf(levels)) <= RATE_TOLERANCE;

const haveTax: Comes = (lines, levels) => {
  let due = 0;
  for (const { tax } of levels) due += tax;
  if (due === 0) return false;
  let charged = 0;
  for (const { amount } of lines) charged += amount;
  return Math.abs(charged - due) <= lines.length;
};

/** Whether lines of any name match levels. Small amounts agree by chance, so amounts count only without rates. */
const comesTo: Comes = (lines, levels) =>
  haveRate(lines, levels) || (lines.some(({ rate }) => rate === null) && haveTax(lines, levels));

const ratesOf = (rated: readonly { readonly rate: Rate | null }[]): number => {
  let total = 0;
  for (const { rate } of rated) total += rate ?? 0;
  return total;
};

/** Abbreviations that some sources spell out. */
const SPELLINGS: Readonly<Record<string, string>> = {
  st: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
  mtn: 'mountain',
  n: 'north',
  s: 'south',
  e: 'east',
  w: 'west',
  hts: 'heights',
  spgs: 'springs',
};

/** Words for the kind of a place, which sources often omit. */
const KINDS = new Set(['county', 'co', 'parish', 'borough', 'city', 'town', 'township', 'village']);

/**
 * Normalize a place name: no accents, capitals or punctuation, `Saint` for `St.`, and no `County`, `City` or `City of`.
 */
export const normalJurisdiction = remembered((name) => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:city and county|city|county|town|township|village|parish|borough) of /, '')
    .split(' ')
    .map((word) => SPELLINGS[word] ?? word);
  while (words.length > 1 && KINDS.has(words.at(-1) ?? '')) words.pop();
  // `DeKalb`, `De Kalb`, `LaSalle`: sources divide the words differently.
  return words.join('');
});

/** Whether two names mean the same place; an empty name matches nothing. */
export const isSamePlace = (left: string, right: string): boolean => {
  const name = normalJurisdiction(left);
  return name !== '' && name === normalJurisdiction(right);
};

/** Whether a name or code is that of a state. */
export const isSameState = (name: string, state: string): boolean => {
  const code = regionOf(name.replaceAll('.', ''));
  return code !== '' && code === regionOf(state);
};

const regionOf = remembered((text) => usRegionCode(text) ?? '');
