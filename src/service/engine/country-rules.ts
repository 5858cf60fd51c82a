import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatRate } from '../../kernel/rate.ts';
import { isInForce } from '../content/dated.ts';
import type { CountryContent } from '../content/tax-content.ts';
import type { Order } from './order.ts';
import { plainRule, type UnitRule } from './unit-rule.ts';

/** The category that a seller uses for what is exempt for a reason of its own; it holds in every country. */
const EXEMPT_CODE = '99999';

/** The rules of lines and freight in a country without a table of categories. */
export const codeRules = (
  content: CountryContent,
  order: Order,
  rates: readonly number[],
  date: CalendarDate,
): { readonly lineRules: readonly UnitRule[]; readonly shippingRule: UnitRule } => {
  const standard = plainRule(rates);
  const known = new Map<string, UnitRule>([['', standard]]);
  const ruleOf = (code: string): UnitRule => {
    const rule = known.get(code) ?? ruleOfCode(content, rates, code, date);
    known.set(code, rule);
    return rule;
  };
  return { lineRules: order.lines.map(({ code }) => ruleOf(code)), shippingRule: standard };
};

const ruleOfCode = (
  content: CountryContent,
  rates: readonly number[],
  code: string,
  date: CalendarDate,
): UnitRule => {
  if (code === EXEMPT_CODE) {
    const note = {
      rule: 'category 99999',
      outcome: 'exempt',
      source: 'iface-docs',
      confidence: 'official-cited',
    };
    return plainRule(
      rates.map(() => 0),
      [note],
    );
  }
  const row = content.codeRates.get(code)?.find((candidate) => isInForce(candidate, date));
  if (row?.on) {
    const note = {
      rule: `category ${code} in ${content.code}`,
      outcome: formatRate(row.rate),
      source: row.source,
      confidence: row.confidence,
    };
    return plainRule(
      rates.map((_, level) => (level === 0 ? row.rate : 0)),
      [note],
    );
  }
  const why = row ? `is only ${row.confidence}` : 'is not known';
  return plainRule(rates, [], [`The rate of ${content.code} for category ${code} ${why}: taxed in full.`]);
};
