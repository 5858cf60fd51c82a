import type { TaxResult } from '../contract/tax-result.ts';
import type { ContentGap } from '../contract/tax-service.ts';
import { type CalendarDate, utcDateOf } from '../kernel/calendar.ts';
import { add, moneyOfPrice, price, type Rate, ZERO_PRICE } from '../kernel/money.ts';
import { type FilingPeriod, parsePeriod, periodBefore } from '../kernel/period.ts';
import { BILLING_USED, PLACE_UNCLEAR } from '../sales/read-ship-to.ts';
import type { Place, Sale, SaleLine } from '../sales/sale.ts';
import { isExempt } from './explain-variance.ts';
import { totalRate } from './rate-claim.ts';
import type { ReasonCode } from './reason.ts';
import { type TaxModel, topRates } from './tax-model.ts';

/** The same sale with one thing changed, to be calculated if its variance is unexplained. */
export type Question = {
  readonly code: ReasonCode;
  readonly what: string;
  readonly sale: Sale;
  /** The ship-from address, if not the configured one. */
  readonly shipFrom?: Place;
};

/** Number of past quarters to check for a rate that the shop failed to update. */
const QUARTERS_BACK = 8;

/**
 * The questions that may explain the variance of a sale on which tax was due, likeliest first. Those with a cached
 * answer cost nothing.
 */
export const questionsOf = (sale: Sale, shipFrom: Place, answer: TaxResult): readonly Question[] => {
  // An exempt sale stays exempt, whatever else is changed.
  if (isExempt(answer)) return [exemptionQuestion(sale)];
  return [
    ...categoryQuestions(sale),
    ...discountQuestions(sale),
    ...ownDayQuestions(sale),
    ...sourcingQuestions(sale, shipFrom, answer),
    ...zipQuestions(sale),
    ...quarterEndsBefore(sale.taxDate).map(
      (day): Question => ({ code: 'R02', what: `at the rates of ${day}`, sale: { ...sale, taxDate: day } }),
    ),
    ...itemQuestions(sale),
  ];
};

/** The question that may explain tax charged shortly before the duty to collect began. */
export const registrationQuestions = (sale: Sale, since: CalendarDate): readonly Question[] => [
  { code: 'R12', what: `as if registered, as of ${since}`, sale: { ...sale, taxDate: since } },
];

/** The calculation of a sale, the one that answers a question about it, and what the tax content lacks at its place. */
type Answering = {
  readonly expected: TaxModel;
  readonly other: TaxModel;
  readonly gap: ContentGap | undefined;
};

/**
 * Whether an answer can prove the reason that its question is about. A day with the same rates does not show that rates
 * differ. Where the tax content may lack a rate, a higher one of another place proves nothing: local rates come in few
 * steps, so that it is often the very rate that is missing.
 */
export const isTelling = ({ code }: Question, { expected, other, gap }: Answering): boolean => {
  if (code === 'R03' && gap) return rateIn(other) <= rateIn(expected);
  return code !== 'R02' || !hasSameRates(expected, other);
};

const rateIn = (model: TaxModel): Rate => totalRate(topRates(model).values());

const hasSameRates = (one: TaxModel, other: TaxModel): boolean => {
  const left = topRates(one);
  const right = topRates(other);
  return [...left].every(([level, rate]) => (right.get(level) ?? rate) === rate) && left.size > 0;
};

const exemptionQuestion = (sale: Sale): Question => ({
  code: 'R07',
  what: 'without the exemption',
  sale: { ...sale, exemptionType: 'non_exempt' },
});

const categoryQuestions = (sale: Sale): readonly Question[] => {
  if (sale.lines.every(({ taxCode }) => taxCode === null)) return [];
  const asked = withLines(sale, (line) => ({ ...line, taxCode: null }));
  return [{ code: 'R05', what: 'with product categories ignored', sale: asked }];
};

/**
 * Where a limit depends on the price, a discount decides whether an item is taxed at all. A refund of a part of an order
 * has the reason of its order.
 */
const discountQuestions = (sale: Sale): readonly Question[] => {
  const discounts = sale.lines.reduce((sum, { discount }) => sum + discount, 0);
  if (sale.partOf || discounts === 0) return [];
  const asked = withLines(sale, (line) => ({ ...line, discount: ZERO_PRICE }));
  const amount = add(sale.amount, moneyOfPrice(price(discounts)));
  return [{ code: 'R15', what: 'on the prices before discounts', sale: { ...asked, amount } }];
};

/**
 * The days that a shop may use instead of the sale's own: for an order, its day in UTC; for a refund, that of its order,
 * and the refund's day.
 */
const ownDayQuestions = (sale: Sale): readonly Question[] => {
  const { kind, businessDate, orderUtcDate, taxDate } = sale;
  const on = (code: 'R13' | 'R16', day: CalendarDate | undefined, which: string): readonly Question[] =>
    day === undefined || day === taxDate
      ? []
      : [{ code, what: `as of ${day}, ${which}`, sale: { ...sale, taxDate: day } }];
  if (kind === 'order') return on('R16', utcDateOf(sale.instant), 'its day in UTC');
  return [
    ...on('R16', orderUtcDate, 'the day of its order in UTC'),
    ...on('R13', businessDate, 'the day of the refund'),
  ];
};

const AT_BILLING = new Set([PLACE_UNCLEAR, BILLING_USED]);

const sourcingQuestions = (sale: Sale, shipFrom: Place, answer: TaxResult): readonly Question[] => {
  const { shipTo, findings } = sale;
  // Without a ship-to address the place is not known well enough to say that the shop took another.
  if (findings.some(({ code }) => AT_BILLING.has(code))) return [];
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

/** City name for an address outside any city. */
const OUTSIDE_CITIES = 'Unincorporated';

/**
 * Questions about the ZIP code alone, which means the place of the ZIP, and about the area outside its cities, as some
 * shops have only county rates.
 */
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

/** The question whether a limit was applied to each line instead of each item. */
const itemQuestions = (sale: Sale): readonly Question[] =>
  (sale.partOf ?? sale).lines.some((line) => asOneItem(line) !== line)
    ? [{ code: 'R21', what: 'with each line as one item', sale: withLines(sale, asOneItem) }]
    : [];

/** Changes the lines of a sale, and those of the order that it gives a part back of. */
const withLines = ({ partOf, ...sale }: Sale, change: (line: SaleLine) => SaleLine): Sale => ({
  ...sale,
  lines: sale.lines.map(change),
  ...(partOf && { partOf: { ...partOf, lines: partOf.lines.map(change) } }),
});

const asOneItem = (line: SaleLine): SaleLine => {
  const unitPrice = line.unitPrice * line.quantity;
  if (line.quantity <= 1 || !Number.isSafeInteger(unitPrice)) return line;
  return { ...line, quantity: 1, unitPrice: price(unitPrice) };
};

/** The last days of past quarters: local rates change at the start of a quarter, so these days cover all of them. */
const quarterEndsBefore = (date: CalendarDate): readonly CalendarDate[] => {
  const ends: CalendarDate[] = [];
  const own = parsePeriod(`${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`) as FilingPeriod;
  for (let at = periodBefore(own); at && ends.length < QUARTERS_BACK; at = periodBefore(at))
    ends.push(at.last);
  return ends;
};
