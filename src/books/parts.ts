import { longDay } from '../figures/day-words.ts';
import { oldRatesIn, type PeriodReport } from '../figures/period-report.ts';
import { readinessWord } from '../judge/readiness.ts';
import { shownNumber } from '../kernel/text.ts';
import type { Cell } from '../workbook/cell.ts';
import type { Format } from '../workbook/format.ts';
import type { Column } from '../workbook/sheet.ts';

/** Lists the seller, the period and the basis of the books. */
export const aboutLines = (report: PeriodReport): readonly string[] => [
  `Seller: ${report.seller} (${report.entity})`,
  `Period: ${report.period.first} to ${report.period.last}, by business date in ${report.timeZone}`,
  `Rates: ${ratesText(report)}. Tax service: ${report.service}`,
  knownText(report),
  `Made by ${report.program}`,
];

const UNNAMED = 'The service does not name the sources of its rates.';

/** Says until when the local rates of each state are known, and where their sources stand. */
export const knownText = ({ rateSources }: Pick<PeriodReport, 'rateSources'>): string => {
  if (rateSources.length === 0) return UNNAMED;
  const until = [...Map.groupBy(rateSources, (each) => each.until)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const known = until
    .filter(([day]) => day !== '')
    .map(([day, rows]) => `${day} in ${rows.map(({ state }) => state).join(', ')}`);
  return `${known.length === 0 ? '' : `Local rates are known until ${known.join(', until ')}. `}Each return names the source of its rates.`;
};

/**
 * Says that rates are older than the period: `READY with local rates known until 2025-12-31 in CO, and of 5 more states
 * until later days before October 31.`; empty where none is.
 */
export const oldRatesText = (report: PeriodReport): string => {
  const [oldest, ...others] = oldRatesIn(report);
  if (oldest === undefined) return '';
  const before = `until later days before ${longDay(report.period.last)}`;
  const more = others.length === 0 ? '' : `, and of ${shownNumber(others.length, 'more state')} ${before}`;
  return `${readinessWord(report.readiness)} with local rates known until ${oldest.until} in ${oldest.state}${more}.`;
};

/** Describes the rates behind the expected tax: with rates of another day, the figures mean something else. */
const ratesText = ({ todaysRates }: PeriodReport): string =>
  todaysRates === 0
    ? 'Those in force on the day of each sale'
    : `Today's rates, not those of the day of sale, for ${todaysRates} ${todaysRates === 1 ? 'sale' : 'sales'}: the service does not say that it calculates as of a day`;

/** Says with a sign whether a period can be filed. */
export const readyText = ({ readiness, madeEarly }: PeriodReport): string => {
  if (!readiness.ready) return '✕ NOT READY';
  return madeEarly === undefined ? '✓ READY' : '○ PRELIMINARY';
};

type More<Row> = Partial<Omit<Column<Row>, 'title' | 'width' | 'format' | 'value'>>;

/** Builds columns of a format, one by one: title, width in characters, value, and what else the column has. */
const columnsIn =
  <F extends Format>(format: F, always: { readonly total?: 'sum' } = {}) =>
  <Row>(title: string, width: number, value: (row: Row) => Cell<F>, more: More<Row> = {}): Column<Row> =>
    ({
      title,
      width,
      format,
      value,
      ...always,
      ...more,
    }) as Column<Row>;

export const words = columnsIn('text');
export const word = columnsIn('status');
export const yesNo = columnsIn('yes-no');
export const id = columnsIn('id');
export const day = columnsIn('date');
export const rate = columnsIn('rate');
export const price = columnsIn('price');
export const money = columnsIn('money');
/** An amount with its total below the rows. */
export const summed = columnsIn('money', { total: 'sum' });
export const change = columnsIn('change');
export const count = columnsIn('count');
/** A number with its total below the rows. */
export const counted = columnsIn('count', { total: 'sum' });

/** Flags what ought to be zero. */
export const notZero = <Row>(value: (row: Row) => number) => ({
  flag: (row: Row) => (value(row) === 0 ? undefined : ('attention' as const)),
});
