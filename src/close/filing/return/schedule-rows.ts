import { add, type Money, money, sum } from '../../../kernel/money.ts';
import { RATE_ONE, type Rate } from '../../../kernel/rate.ts';
import { roundBigQuotient } from '../../../kernel/rounding.ts';
import { exactOfMoney, roundExact } from '../expression/evaluate.ts';
import type { RoundTo } from '../expression/expression.ts';
import type { FormSchedule, ReturnForm } from '../law/return-form.ts';
import { countyName } from '../registration.ts';
import type { JurisdictionLevel, PlaceFigures, StateFigures } from '../state-figures.ts';

/** One row of a schedule, as the form prints it. */
export type ScheduleRow = {
  /** The form's code of the place; empty if not known. */
  readonly code: string;
  readonly name: string;
  readonly county: string;
  readonly city: string;
  /** The level of the body that levies the tax, in a schedule by bodies. */
  readonly level: JurisdictionLevel | undefined;
  readonly rate: Rate;
  readonly taxable: Money;
  readonly tax: Money;
  /** Whether the tax content lacks rates of the place; its tax is then the collected tax. */
  readonly isGap: boolean;
};

export type ReturnSchedule = {
  readonly schedule: FormSchedule;
  readonly rows: readonly ScheduleRow[];
  readonly taxable: Money;
  readonly tax: Money;
};

/** Builds a schedule of a return, with rows sorted by name and each rounded as the form rounds. */
export const scheduleOf = (
  schedule: FormSchedule,
  figures: StateFigures,
  formRounding: RoundTo,
  ownCodes: Codes = {},
): ReturnSchedule => {
  const codes = { ...schedule.codes, ...ownCodes };
  const round = schedule.round ?? formRounding;
  const rows = merged(rawRows(schedule, figures)).map((row): ScheduleRow => {
    const taxable = roundExact(exactOfMoney(row.taxable), round);
    const tax = schedule.tax === 'computed' && !row.isGap ? taxAt(taxable, row.rate) : row.tax;
    return { ...row, code: codeOf(codes, row), taxable, tax: roundExact(exactOfMoney(tax), round) };
  });
  return {
    schedule,
    rows,
    taxable: sum(rows.map(({ taxable }) => taxable)),
    tax: sum(rows.map(({ tax }) => tax)),
  };
};

/** Codes by name of the place, in capitals. */
type Codes = Readonly<Record<string, string>>;
type RawRow = Omit<ScheduleRow, 'code'>;

const rawRows = (schedule: FormSchedule, figures: StateFigures): readonly RawRow[] => {
  if (schedule.rows === 'level') {
    const known = figures.jurisdictions.filter(({ level }) => schedule.levels.includes(level));
    const gaps = isLocal(schedule) ? figures.gap.jurisdictions : [];
    return [
      ...known.map((row) => ({ ...row, isGap: false })),
      ...gaps.map((row) => ({ ...row, isGap: true })),
    ].map(({ level, name, rate, taxable, tax, isGap }) => ({
      name: nameOf(name, isGap),
      county: level === 'county' ? name : '',
      city: level === 'city' ? name : '',
      level,
      rate,
      taxable,
      tax,
      isGap,
    }));
  }
  const isLocalPart = schedule.rows === 'place-local';
  return figures.places.map(({ rate, localRate, taxable, tax, localTax, gapTax, isGap, ...place }) => {
    const { county, city } = placeOnForm(schedule, place);
    return {
      name: nameOf([county, city].filter((name) => name !== '').join(' / ') || figures.state, isGap),
      county,
      city,
      level: undefined,
      rate: isLocalPart ? localRate : rate,
      taxable,
      tax: add(isLocalPart ? localTax : tax, gapTax),
      isGap,
    };
  });
};

type Place = Pick<PlaceFigures, 'county' | 'city' | 'isOfDistrict'>;

/**
 * Returns the place that the form prints, which may be several counties. Among jurisdictions a city stands by its own tax,
 * and not where only a district reaches it.
 */
const placeOnForm = (
  { together, key }: FormSchedule,
  { county, city, isOfDistrict }: Place,
): Pick<Place, 'county' | 'city'> => {
  const [whole] =
    Object.entries(together).find(([, counties]) =>
      counties.some((each) => each.toUpperCase() === county.toUpperCase()),
    ) ?? [];
  if (whole !== undefined) return { county: '', city: whole };
  const isCounty = key === 'county' || (key === 'jurisdiction' && isOfDistrict);
  return { county, city: isCounty && county !== '' ? '' : city };
};

/** Whether a schedule includes the local taxes of every place, and so the tax collected under unknown rates. */
const isLocal = ({ rows, levels }: FormSchedule): boolean => rows !== 'level' || levels.includes('city');

/** Whether a form has such a schedule. Without one, the state has no local taxes, so no local rate can be missing. */
export const hasLocalSchedule = ({ schedules }: Pick<ReturnForm, 'schedules'>): boolean =>
  schedules.some(isLocal);

const nameOf = (name: string, isGap: boolean): string =>
  isGap ? `${name} (local rate not in Tieout)` : name;

/** Merges rows with the same name, level and rate; the order does not depend on the order of the sales. */
const merged = (rows: readonly RawRow[]): readonly RawRow[] => {
  const byKey = new Map<string, RawRow>();
  for (const row of rows) {
    const key = `${row.name} ${String(row.rate).padStart(9, '0')} ${row.level ?? ''}`;
    const known = byKey.get(key);
    byKey.set(
      key,
      known ? { ...known, taxable: add(known.taxable, row.taxable), tax: add(known.tax, row.tax) } : row,
    );
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
};

const taxAt = (taxable: Money, rate: Rate): Money =>
  money(Number(roundBigQuotient(BigInt(taxable) * BigInt(rate), BigInt(RATE_ONE))));

/**
 * Returns the code of a place; empty if it has none. A city's code is its own: its county's is that of another place. A
 * county of the name of a city has its code as `EL PASO COUNTY`.
 */
export const codeOf = (
  codes: Codes,
  { city, county, name }: Pick<ScheduleRow, 'city' | 'county' | 'name'>,
): string => {
  const keys = city === '' ? [countyName(county), county, name] : [name, city];
  return keys.map((key) => codes[key.toUpperCase()]).find((code) => code !== undefined) ?? '';
};
