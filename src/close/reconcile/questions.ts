import type { TaxResult } from '../../contract/tax-result.ts';
import { addDays, type CalendarDate, calendarDate, parseDate, utcDateOf } from '../../kernel/calendar.ts';
import { price } from '../../kernel/price.ts';
import { usRegionsOfZip } from '../../kernel/us-regions.ts';
import type { Place, Sale, SaleLine } from '../sales/sale.ts';
import { isExempt } from './explain-variance.ts';
import type { AnsweredHypothesis } from './hypothesis.ts';
import type { ReasonCode } from './reason.ts';
import { type TaxModel, topRates } from './tax-model.ts';

/** The same sale with one thing changed, to be calculated while its variance is unexplained. */
export type Question = {
  /** `day`: the answer shows whether the rates of that day differ, or what they are applied to. */
  readonly code: ReasonCode | 'day';
  readonly what: string;
  readonly sale: Sale;
  /** Another place of departure than the configured one. */
  readonly shipFrom?: Place;
};

/** Quarters looked back for a rate that a shop may have failed to update. */
const QUARTERS_BACK = 8;
/** Days from a sale at which a holiday that the shop has at the wrong time may begin or end. */
const HOLIDAY_STEPS = [-3, 3, -8, 8, -16, 16] as const;
/** Cities of other sales that are tried for one ZIP. */
export const CITIES_MAX = 3;

/**
 * What may explain the variance of a sale where something was due, likeliest first. A question that asks what is known
 * already costs nothing. At most `QUESTIONS_MAX` are asked.
 */
export const questionsOf = (sale: Sale, shipFrom: Place, answer: TaxResult): readonly Question[] => [
  ...exemptionQuestions(sale, answer),
  ...categoryQuestions(sale),
  ...ownDayQuestions(sale),
  ...sourcingQuestions(sale, shipFrom, answer),
  ...zipQuestions(sale),
  ...quarterEndsBefore(sale.taxDate).map(
    (day): Question => ({ code: 'day', what: `at the rates of ${day}`, sale: { ...sale, taxDate: day } }),
  ),
  ...priceRuleQuestions(sale),
  ...neighbourQuestions(sale),
];

/** What may explain that tax was charged before the duty to collect began on a day soon after. */
export const registrationQuestions = (sale: Sale, since: CalendarDate): readonly Question[] => [
  { code: 'R12', what: `as if registered, as of ${since}`, sale: { ...sale, taxDate: since } },
];

/** Cities that other sales show for the same ZIP, the most frequent first. */
export const cityQuestions = (sale: Sale, cities: readonly string[]): readonly Question[] =>
  cities
    .filter((city) => city.toUpperCase() !== sale.shipTo.city.toUpperCase())
    .slice(0, CITIES_MAX)
    .map((city) => shippedTo(sale, { ...sale.shipTo, city, street: '' }, `as in ${city}`));

/** Exemption, categories, own day, sourcing and ZIP twice; quarters; items; days; next ZIPs; cities. */
export const QUESTIONS_MAX = 6 + QUARTERS_BACK + 1 + HOLIDAY_STEPS.length + 2 + CITIES_MAX;

/** What the answer to a question would prove. A day whose rates are the same and what they tax is not has another price rule. */
export const namedBy = (
  { code, what }: Question,
  expected: TaxModel,
  other: TaxModel,
): Pick<AnsweredHypothesis, 'code' | 'what'> => {
  if (code !== 'day') return { code, what };
  const isSameRate = hasSameRates(expected, other);
  return {
    code: isSameRate ? 'R21' : 'R02',
    what: isSameRate ? what.replace('at the rates', 'by the rules') : what,
  };
};

const hasSameRates = (one: TaxModel, other: TaxModel): boolean => {
  const [left, right] = [topRates(one), topRates(other)];
  return [...left].every(([level, rate]) => (right.get(level) ?? rate) === rate) && left.size > 0;
};

const exemptionQuestions = (sale: Sale, answer: TaxResult): readonly Question[] =>
  isExempt(answer)
    ? [{ code: 'R07', what: 'without the exemption', sale: { ...sale, exemptionType: 'non_exempt' } }]
    : [];

const categoryQuestions = (sale: Sale): readonly Question[] => {
  if (sale.lines.every(({ taxCode }) => taxCode === null)) return [];
  const lines = sale.lines.map((line) => ({ ...line, taxCode: null }));
  return [{ code: 'R05', what: 'with product categories ignored', sale: { ...sale, lines } }];
};

/** The days that a shop may take for that of the sale: a refund's own, or the one in UTC. */
const ownDayQuestions = (sale: Sale): readonly Question[] => {
  const utcDate = utcDateOf(sale.instant);
  const days = [
    { code: 'R13', day: sale.businessDate, what: `as of ${sale.businessDate}, the day of the refund` },
    { code: 'R16', day: utcDate, what: `as of ${utcDate}, its day in UTC` },
  ] as const;
  return days
    .filter(({ code, day }) => day !== sale.taxDate && (sale.kind === 'refund') === (code === 'R13'))
    .map(({ code, day, what }) => ({ code, what, sale: { ...sale, taxDate: day } }));
};

const sourcingQuestions = (sale: Sale, shipFrom: Place, answer: TaxResult): readonly Question[] => {
  const { shipTo } = sale;
  if (shipTo.zip === shipFrom.zip && shipTo.city === shipFrom.city) return [];
  const atSeller: Question = {
    code: 'R04',
    what: 'at the place of the seller',
    sale: { ...sale, shipTo: shipFrom },
  };
  if (answer.tax_source !== 'origin') return [atSeller];
  return [{ code: 'R04', what: 'at the place of the buyer', sale, shipFrom: shipTo }];
};

const shippedTo = (sale: Sale, shipTo: Place, what: string): Question => ({
  code: 'R03',
  what,
  sale: { ...sale, shipTo },
});

/** The name of a city for an address that lies in none. */
const OUTSIDE_CITIES = 'Unincorporated';

/** A ZIP alone is taken for its own place, and a shop may have the rates of the county only. */
const zipQuestions = (sale: Sale): readonly Question[] => {
  const { shipTo } = sale;
  const zip = shipTo.zip.slice(0, 5);
  const outside = { ...shipTo, zip, city: OUTSIDE_CITIES, street: '' };
  const outsideCities = shippedTo(sale, outside, `outside the cities of ZIP ${zip}`);
  if (shipTo.city === '' && shipTo.street === '' && shipTo.zip === zip) return [outsideCities];
  return [
    shippedTo(sale, { ...shipTo, zip, city: '', street: '' }, `by the ZIP ${zip} alone`),
    outsideCities,
  ];
};

/** Where the boundary of a place is drawn by ZIP, the next one is the likeliest mistake. */
const neighbourQuestions = (sale: Sale): readonly Question[] => {
  const { shipTo } = sale;
  if (!/^\d{5}/.test(shipTo.zip)) return [];
  const zip = Number(shipTo.zip.slice(0, 5));
  return [zip + 1, zip - 1]
    .map((next) => String(next).padStart(5, '0'))
    .filter((next) => usRegionsOfZip(next).includes(shipTo.state))
    .map((next) => shippedTo(sale, { ...shipTo, zip: next, city: '', street: '' }, `as in ZIP ${next}`));
};

/** Limits per item taken for limits per line, and holidays at another time of the same quarter. */
const priceRuleQuestions = (sale: Sale): readonly Question[] => {
  const merged = sale.lines.map(asOneItem);
  const isChanged = merged.some((line, index) => line !== sale.lines[index]);
  const items: readonly Question[] = isChanged
    ? [{ code: 'R21', what: 'with each line as one item', sale: { ...sale, lines: merged } }]
    : [];
  const days = HOLIDAY_STEPS.map((step) => parseDate(addDays(sale.taxDate, step)))
    .filter((day) => day !== undefined)
    .filter((day) => quarterOf(day) === quarterOf(sale.taxDate));
  return [
    ...items,
    ...days.map(
      (day): Question => ({ code: 'day', what: `at the rates of ${day}`, sale: { ...sale, taxDate: day } }),
    ),
  ];
};

const asOneItem = (line: SaleLine): SaleLine => {
  const unitPrice = line.unitPrice * line.quantity;
  if (line.quantity <= 1 || !Number.isSafeInteger(unitPrice)) return line;
  return { ...line, quantity: 1, unitPrice: price(unitPrice) };
};

const firstMonthOf = (day: CalendarDate): number => Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1;

const quarterOf = (day: CalendarDate): string => `${day.slice(0, 4)} ${firstMonthOf(day)}`;

/** Local rates change at the start of a quarter, so the last days of quarters see them all. */
const quarterEndsBefore = (date: CalendarDate): readonly CalendarDate[] => {
  const ends: CalendarDate[] = [];
  for (let day = date; ends.length < QUARTERS_BACK; ) {
    const first = calendarDate(`${day.slice(0, 4)}-${String(firstMonthOf(day)).padStart(2, '0')}-01`);
    const end = parseDate(addDays(first, -1));
    if (end === undefined) break;
    ends.push(end);
    day = end;
  }
  return ends;
};
