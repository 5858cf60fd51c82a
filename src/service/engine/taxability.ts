import { formatPrice } from '../../kernel/price.ts';
import { formatRate, type Rate } from '../../kernel/rate.ts';
import { inForce, isInForce } from '../content/dated.ts';
import type { SpecialRule, TaxabilityRow, TaxContent } from '../content/tax-content.ts';
import { withHolidays } from './holiday.ts';
import { LEVEL_INDEX, type LevelRates } from './level-rates.ts';
import { localRatesOf } from './local-taxability.ts';
import type { TaxTable } from './tax-table.ts';
import { plainRule, type RuleNote, type UnitRule } from './unit-rule.ts';

/** The rule for a category at a table's place, worked out at the first asking. An empty code is fully taxable. */
export const ruleFor = (content: TaxContent, table: TaxTable, code: string): UnitRule => {
  const known = table.rules.get(code);
  if (known) return known;
  const rule = withHolidays(table, code, withSpecialRules(table, code, buildRule(content, table, code)));
  // Codes that a caller makes up must not fill the memory.
  if (code === '' || content.taxability.has(code)) table.rules.set(code, rule);
  return rule;
};

const fullyTaxable = (table: TaxTable, flag?: string): UnitRule =>
  plainRule(table.rates, [], flag === undefined ? [] : [flag]);

const buildRule = (content: TaxContent, table: TaxTable, code: string): UnitRule => {
  if (code === '') return fullyTaxable(table);
  const state = table.place.state.code;
  const found = findRow(content, table, code);
  if (found === 'unknown-code') return fullyTaxable(table, `Category ${code} is not known: taxed in full.`);
  if (found === 'no-row') {
    return fullyTaxable(
      table,
      `How ${state} taxed category ${code} on ${table.date} is not known: taxed in full.`,
    );
  }
  const { row, chain } = found;
  const note = noteOf(row, code);
  if (row.treatment === 'unknown') {
    return {
      ...plainRule(table.rates, [note]),
      flags: [`How ${state} taxes category ${code} is not known: taxed in full.`],
    };
  }
  const off = chain.find((link) => !link.on);
  if (off) {
    return {
      ...plainRule(table.rates, [{ ...note, outcome: 'not applied, taxed in full' }]),
      flags: [`The rule of ${state} for category ${code} is ${reasonOff(off)}: taxed in full.`],
    };
  }
  return applyRow(content, table, code, row, note);
};

const reasonOff = (row: TaxabilityRow): string =>
  row.note === '' ? `only ${row.confidence}` : `only ${row.confidence} (${row.note})`;

type FoundRow = { readonly row: TaxabilityRow; readonly chain: readonly TaxabilityRow[] };

/** Links followed before a ring of `like` rows is taken for unknown. */
const LINKS_MAX = 5;

/** The row in force for a category, following `like` to the category it stands with. */
const findRow = (
  content: TaxContent,
  table: TaxTable,
  code: string,
): FoundRow | 'unknown-code' | 'no-row' => {
  const chain: TaxabilityRow[] = [];
  let current = code;
  while (chain.length < LINKS_MAX) {
    const states = content.taxability.get(current);
    if (!states) return 'unknown-code';
    const rows = states.get(table.place.state.code) ?? states.get('*') ?? [];
    const row = inForce(rows, table.date);
    if (!row) return 'no-row';
    chain.push(row);
    if (row.treatment !== 'like') return { row, chain };
    current = row.like;
  }
  return 'no-row';
};

const noteOf = (row: TaxabilityRow, code: string): RuleNote => ({
  rule: `category ${code} in ${row.state === '*' ? 'any state' : row.state}${row.code === code ? '' : ` (like ${row.code})`}`,
  outcome: outcomeOf(row),
  source: row.source,
  confidence: row.confidence,
});

const outcomeOf = (row: TaxabilityRow): string => {
  const parts: string[] = [row.treatment];
  if (row.treatment === 'reduced') parts.push(`state rate ${formatRate(row.rate)}`);
  if (row.treatment === 'special-rate') parts.push(`combined rate ${formatRate(row.rate)}`);
  if (row.treatment === 'partial') parts.push(`${row.percent} percent of the price`);
  if (row.threshold > 0) parts.push(`${row.thresholdKind} ${formatPrice(row.threshold)} an item`);
  parts.push(`local: ${row.local}`);
  return parts.join(', ');
};

const applyRow = (
  content: TaxContent,
  table: TaxTable,
  code: string,
  row: TaxabilityRow,
  note: RuleNote,
): UnitRule => {
  const local = localRatesOf(content, table, row, code);
  const withState = (stateRate: number): LevelRates => [stateRate, ...local.rates];
  const base = { notes: [note, ...local.notes], flags: local.flags };
  switch (row.treatment) {
    case 'exempt':
      return { ...plainRule(withState(0)), ...base };
    case 'reduced':
      return { ...plainRule(withState(row.rate)), ...base };
    case 'special-rate':
      return { ...plainRule([row.rate, 0, 0, 0]), ...base };
    case 'partial':
      return { ...plainRule(withState(table.rates[0])), ...base, percent: row.percent };
    case 'threshold':
      if (row.thresholdKind === 'excess-only') {
        return { ...plainRule(table.rates), ...base, excessOver: row.threshold };
      }
      return { ...plainRule(table.rates), ...base, threshold: row.threshold, ratesBelow: withState(0) };
    default:
      return { ...plainRule(withState(table.rates[0])), ...base };
  }
};

/** Caps and bands on the price of one item, luxury rates, and local taxes on one category only. */
const withSpecialRules = (table: TaxTable, code: string, rule: UnitRule): UnitRule => {
  let result = rule;
  for (const special of table.place.state.special) {
    if (!isInForce(special, table.date)) continue;
    if (special.codes.length > 0 && !special.codes.includes(code)) continue;
    result = applySpecial(table, special, result);
  }
  return result;
};

const applySpecial = (table: TaxTable, special: SpecialRule, rule: UnitRule): UnitRule => {
  const note: RuleNote = {
    rule: `${special.kind} ${table.place.state.code}`,
    outcome: special.note,
    source: special.source,
    confidence: special.confidence,
  };
  const notes = [...rule.notes, note];
  const isTaxedByState = rule.rates[0] !== 0 && rule.rates[0] === table.rates[0];
  switch (special.kind) {
    case 'local-item-cap':
      if (rule.rates.slice(1).every((value) => value === 0)) return rule;
      return { ...rule, capAmount: special.amountTo, capFromLevel: LEVEL_INDEX.county, notes };
    case 'state-item-tier':
      if (!isTaxedByState) return rule;
      return {
        ...rule,
        tierRate: special.rate,
        tierFrom: special.amountFrom,
        tierTo: special.amountTo,
        notes,
      };
    case 'luxury-rate':
      if (!isTaxedByState) return rule;
      return { ...rule, luxuryOver: special.amountFrom, luxuryRate: special.rate, notes };
    case 'code-extra-local':
      return withExtraLocal(table, special, rule, notes);
    default:
      return rule;
  }
};

const withExtraLocal = (
  table: TaxTable,
  special: SpecialRule,
  rule: UnitRule,
  notes: readonly RuleNote[],
): UnitRule => {
  const key = table.place.place?.key ?? '';
  if (special.places.has('*') || (key !== '' && special.places.has(key))) {
    const withExtra = (rates: readonly number[]) =>
      rates.map((value, level) => (level === LEVEL_INDEX.city ? value + special.rate : value));
    return { ...rule, rates: withExtra(rule.rates), ratesBelow: withExtra(rule.ratesBelow), notes };
  }
  const text = `A local tax of ${formatRate(special.rate as Rate)} may apply: ${special.note}.`;
  return special.places.size > 0 ? rule : { ...rule, flags: [...rule.flags, text] };
};
