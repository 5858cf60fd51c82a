import { formatPercent } from '../../../kernel/money.ts';
import type { Expression, Term } from '../expression/expression.ts';
import type { FormLine, ReturnForm } from '../law/return-form.ts';
import type { StateFigures } from '../state-figures.ts';
import { isFigureName, sourceOf } from './figures.ts';

/** The text for a line that no export can fill in. */
const BY_HAND = 'On the portal, if it applies';

/** A form and the figures it is filled in with. */
type Filled = { readonly form: ReturnForm; readonly figures: StateFigures };

/** Describes where a line's amount comes from, in words that an auditor can follow: `Line 4 × 6.25%`. */
export const provenanceOf = ({ formula }: FormLine, { form, figures }: Filled): string => {
  const words = wordsOf(formula.expression, { form, figures });
  return words === '' ? BY_HAND : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

const wordsOf = (expression: Expression, filled: Filled): string => {
  const { form, figures } = filled;
  const inner = (part: Expression): string =>
    part.kind === 'sum' && part.terms.length > 1 ? `(${wordsOf(part, filled)})` : wordsOf(part, filled);
  switch (expression.kind) {
    case 'nothing':
      return '';
    case 'figure':
      return isFigureName(expression.name) ? sourceOf(expression.name, figures) : expression.name;
    case 'line':
      return lineWords(form, expression.line);
    case 'rate':
      return rateWords(form, expression.name);
    case 'taxable-at':
      return `sales that the state taxes at ${rateWords(form, expression.rate)}`;
    case 'schedule': {
      const schedule = form.schedules.find(({ name }) => name === expression.schedule);
      return `${schedule?.title ?? expression.schedule}: total ${expression.column}`;
    }
    case 'sum':
      return sumWords(expression.terms, filled);
    case 'product':
      return `${inner(expression.amount)} × ${inner(expression.rate)}`;
    case 'greatest':
      return `the greater of ${expression.of.map((part) => inner(part) || '0').join(' and ')}`;
    case 'round':
      return wordsOf(expression.of, filled);
  }
};

/** An intermediate step that the form does not print has no number there, so it is named instead. */
const lineWords = ({ lines }: ReturnForm, number: string): string => {
  const found = lines.find(({ line }) => line === number);
  if (!found?.working) return `line ${number}`;
  return `${found.label.charAt(0).toLowerCase()}${found.label.slice(1)}`;
};

const rateWords = ({ rates }: ReturnForm, name: string): string => {
  const found = rates.find((rate) => rate.name === name);
  return found ? formatPercent(found.rate) : `the rate ${name}`;
};

/** Lists figures from the same source only once. */
const sumWords = (terms: readonly Term[], filled: Filled): string => {
  const words = new Map<string, string>();
  for (const { sign, of } of terms) {
    const own = wordsOf(of, filled);
    const text = own === BY_HAND && terms.length > 1 ? 'own purchases' : own;
    if (text !== '' && !words.has(text)) words.set(text, sign === 1 ? '+' : '−');
  }
  return [...words].map(([text, sign], index) => (index === 0 ? text : ` ${sign} ${text}`)).join('');
};
