import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatRate } from '../../kernel/money.ts';
import { isInForce } from '../content/dated.ts';
import type { CodeRate, CountryContent } from '../content/tax-content.ts';
import type { Order } from './order.ts';
import { plainRule, type UnitRule } from './unit-rule.ts';

/** The category that sellers use for goods that are exempt for a special reason; it applies in every country. */
const EXEMPT_CODE = '99999';

/** Where and when a country taxes: its rates by level, and its territory if that has its own rates. */
type CountryPlace = {
  readonly rates: readonly number[];
  readonly date: CalendarDate;
  readonly region: string;
  /** Whether the second rate is the part of a province in a tax that it shares with the country. */
  readonly isHarmonized: boolean;
};

/** Return the rules of lines in a country that has separate rates for categories. */
export const codeRules = (
  content: CountryContent,
  order: Order,
  place: CountryPlace,
): readonly UnitRule[] => {
  const standard = plainRule(place.rates);
  const known = new Map<string, UnitRule>([['', standard]]);
  const ruleOf = (code: string): UnitRule => {
    const rule = known.get(code) ?? ruleOfCode(content, place, code);
    known.set(code, rule);
    return rule;
  };
  return order.lines.map(({ code }) => ruleOf(code));
};

const ruleOfCode = (content: CountryContent, place: CountryPlace, code: string): UnitRule => {
  if (code === EXEMPT_CODE) {
    const note = {
      rule: 'category 99999',
      outcome: 'exempt',
      source: 'iface-docs',
      confidence: 'official-cited',
    };
    return plainRule(
      place.rates.map(() => 0),
      [note],
    );
  }
  const rows = (content.codeRates.get(code) ?? []).filter((candidate) => isInForce(candidate, place.date));
  // A province is part of its country; a territory with its own rates is not.
  const ofCountry = content.kind === 'provinces' ? rows.find(({ region }) => region === '') : undefined;
  const row = rows.find(({ region }) => region === place.region) ?? ofCountry;
  return row ? ruleOfRow(content, place, code, row) : standardRule(content, place, code);
};

const standardRule = (
  { code: country }: CountryContent,
  { rates, region }: CountryPlace,
  code: string,
): UnitRule => {
  if (rates.every((rate) => rate === 0)) return plainRule(rates);
  const where = region === '' ? country : `${region} (${country})`;
  return plainRule(rates, [], [`The rate of ${where} for category ${code} is not known: taxed in full.`]);
};

const ruleOfRow = (
  { code: country }: CountryContent,
  place: CountryPlace,
  code: string,
  row: CodeRate,
): UnitRule => {
  const note = {
    rule: `category ${code} in ${country}`,
    outcome: formatRate(row.rate),
    source: row.source,
    confidence: row.confidence,
  };
  const rule = plainRule(
    place.rates.map((rate, level) => {
      if (level === 0) return row.rate;
      return row.taxes === 'all' || place.isHarmonized ? 0 : rate;
    }),
    [note],
  );
  if (row.doubtful) {
    const why = `The rate of ${country} for category ${code} is only ${row.confidence}: ${formatRate(row.rate)} was applied.`;
    return { ...rule, flags: [why], doubt: { why, otherwise: plainRule(place.rates) } };
  }
  if (rule.rates.slice(1).every((rate) => rate === 0)) return rule;
  const own = `Whether the tax of the province itself applies to category ${code} is not known: taxed in full.`;
  return { ...rule, flags: [own] };
};
