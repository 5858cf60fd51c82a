import { add, formatPercent, type Money, type Rate, sum, ZERO } from '../../../kernel/money.ts';
import { exactOfMoney, exactOfRate, multiplyExact, roundExact } from '../expression/evaluate.ts';
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

/**
 * Builds a schedule of a return, with rows sorted by name and each rounded as the form rounds: a tax that the form computes
 * is not rounded like the amount that it is computed from.
 *
 * @param codes the form's codes by name of the place, in capitals
 */
export const scheduleOf = (
  schedule: FormSchedule,
  figures: StateFigures,
  formRounding: RoundTo,
  codes: Codes,
): ReturnSchedule => {
  const round = schedule.round ?? formRounding;
  const roundTax = schedule.tax === 'computed' ? formRounding : round;
  const rows = merged(schedule, rawRows(schedule, figures)).map((row): ScheduleRow => {
    const taxable = roundExact(exactOfMoney(row.taxable), round);
    const isComputed = schedule.tax === 'computed' && !row.isGap;
    const tax = isComputed
      ? multiplyExact(exactOfMoney(taxable), exactOfRate(row.rate))
      : exactOfMoney(row.tax);
    return { ...row, code: codeOf(codes, row), taxable, tax: roundExact(tax, roundTax) };
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

/**
 * Merges rows with the same name, level and rate; the order does not depend on the order of the sales. A form takes no row
 * of refunds at a rate at which nothing was sold, such as one that ended: with their own tax, they join the row of the place.
 */
const merged = ({ tax }: FormSchedule, rows: readonly RawRow[]): readonly RawRow[] => {
  const rateOf = (row: RawRow): Rate => {
    if (tax === 'computed' || row.taxable >= ZERO) return row.rate;
    const sold = rows.filter(
      ({ name, level, taxable }) => name === row.name && level === row.level && taxable > ZERO,
    );
    return sold.some(({ rate }) => rate === row.rate) ? row.rate : (sold[0]?.rate ?? row.rate);
  };
  const byKey = new Map<string, RawRow>();
  for (const row of rows) {
    const rate = rateOf(row);
    const key = `${row.name} ${String(rate).padStart(9, '0')} ${row.level ?? ''}`;
    const known = byKey.get(key);
    byKey.set(
      key,
      known
        ? { ...known, taxable: add(known.taxable, row.taxable), tax: add(known.tax, row.tax) }
        : { ...row, rate },
    );
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
};

/**
 * Returns the code of a place; empty if it has none. A city's code is its own: its county's is that of another place. A
 * county of the name of a city has its code as `EL PASO COUNTY`. A code of one rate alone is named `MONROE AT 8%`.
 */
export const codeOf = (
  codes: Codes,
  { city, county, name, rate }: Pick<ScheduleRow, 'city' | 'county' | 'name'> & { readonly rate?: Rate },
): string => {
  const keys = city === '' ? [countyName(county), county, name] : [name, city];
  const ofRate = rate === undefined ? [] : keys.map((key) => `${key} AT ${formatPercent(rate)}`);
  return [...keys, ...ofRate].map((key) => codes[key.toUpperCase()]).find((code) => code !== undefined) ?? '';
};
