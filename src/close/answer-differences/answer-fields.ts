import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxResult, UsBreakdown } from '../../contract/tax-result.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import { formatRate, type Rate } from '../../kernel/rate.ts';

/** One service's answer about one sale. */
export type Answer = TaxResult | ServiceRefusal;

/** The fields of an answer by name, as text that is equal exactly when the values are. */
export type AnswerFields = ReadonlyMap<string, string>;

/** Name of the only field of a refusal. */
export const REFUSED = 'refused';

/**
 * Split an answer into fields. A refusal has a single field. Tax levels are included only if the answer has them, so an
 * answer without nexus has few fields.
 */
export const answerFields = (answer: Answer): AnswerFields => {
  if (answer instanceof ServiceRefusal) return new Map([[REFUSED, answer.message]]);
  const { breakdown, jurisdictions } = answer;
  return new Map([
    ['amount_to_collect', formatMoney(answer.amount_to_collect)],
    ['taxable_amount', formatMoney(answer.taxable_amount)],
    ['rate', formatRate(answer.rate)],
    ['has_nexus', String(answer.has_nexus)],
    ['freight_taxable', String(answer.freight_taxable)],
    ['tax_source', answer.tax_source ?? 'none'],
    ...Object.entries(jurisdictions ?? {})
      .filter(([, name]) => name !== undefined && name !== '')
      .map(([level, name]): [string, string] => [`jurisdictions.${level}`, String(name).toUpperCase()]),
    ...(breakdown && 'state_tax_rate' in breakdown ? usLevels(breakdown) : []),
  ]);
};

const usLevels = (unit: UsBreakdown): [string, string][] => [
  ...level('state', unit.state_taxable_amount, unit.state_tax_rate, unit.state_tax_collectable),
  ...level('county', unit.county_taxable_amount, unit.county_tax_rate, unit.county_tax_collectable),
  ...level('city', unit.city_taxable_amount, unit.city_tax_rate, unit.city_tax_collectable),
  ...level(
    'special',
    unit.special_district_taxable_amount,
    unit.special_tax_rate,
    unit.special_district_tax_collectable,
  ),
];

const level = (name: string, taxable: Money, rate: Rate, amount: Money): [string, string][] => [
  [`${name}.taxable`, formatMoney(taxable)],
  [`${name}.rate`, formatRate(rate)],
  [`${name}.amount`, formatMoney(amount)],
];
