import type { CollectorRule } from '../close/filing/law/collector-rule.ts';
import { discountRuleFor, dueDateRuleFor, type FilingLaw } from '../close/filing/law/filing-law.ts';
import { isInForce, sourceText } from '../close/filing/law/law-row.ts';
import type { FormLine, ReturnForm } from '../close/filing/law/return-form.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { textTable } from './text-table.ts';

/** A return as of a day, with its due date and discount. */
export type KnownReturn = {
  readonly form: ReturnForm;
  /** `day 20`, and whether that was verified. */
  readonly due: string;
  readonly hasDiscount: boolean;
};

/**
 * Returns the returns in force on a day: all of them, or those of a state, or the general ones if the state has none.
 */
export const knownReturns = (law: FilingLaw, on: CalendarDate, state?: string): readonly KnownReturn[] => {
  const inForce = law.forms.filter((form) => isInForce(form, on));
  const forms = inForce.filter((form) => state === undefined || form.state === state);
  for (const general of state === undefined ? [] : inForce.filter((form) => form.state === '*')) {
    const isWanted = general.of === 'state' || law.collectors.some((row) => row.state === state);
    if (isWanted && !forms.some((form) => form.of === general.of)) forms.push(general);
  }
  return forms.map((form) => {
    const [frequency = 'monthly'] = form.frequencies;
    const of = form.state === '*' ? (state ?? '*') : form.state;
    const wanted = { state: of, kind: form.of, name: form.of === 'fee' ? form.form : '' };
    const { rule, verified } = dueDateRuleFor(law, wanted, frequency, on);
    return {
      form,
      due: `${rule}${verified === false ? ', not verified' : ''}`,
      hasDiscount: discountRuleFor(law, wanted, frequency, on) !== undefined,
    };
  });
};

/**
 * Returns the rules in force on a day about who collects the tax of counties and cities, where it may not be the state.
 */
export const knownCollectors = (law: FilingLaw, on: CalendarDate, state?: string): readonly CollectorRule[] =>
  law.collectors.filter((rule) => isInForce(rule, on) && (state === undefined || rule.state === state));

/** Formats one row per return. */
export const returnsText = (known: readonly KnownReturn[]): string =>
  textTable([
    [
      'State',
      'Return',
      'Filed',
      'Since',
      'Last verified',
      'Lines',
      'Not verified',
      'Due',
      'Discount',
      'Upload file',
    ],
    ...known.map(({ form, due, hasDiscount }) => [
      form.state,
      form.form,
      form.frequencies.length === 4 ? 'any' : form.frequencies.join(', '),
      form.from ?? '',
      form.verified === false ? 'no' : form.verified,
      String(form.lines.length),
      String(form.lines.filter((line) => verifiedWord(form, line) === 'not verified').length),
      due,
      hasDiscount ? 'yes' : '',
      form.upload ?? '',
    ]),
  ]);

/** Formats a return line by line, as in the workbook. */
export const returnText = ({ form, due }: KnownReturn): string => {
  const head = [
    `${form.state} ${form.form}: ${form.title}`,
    `Revision ${form.revision}; ${form.verified === false ? 'not verified' : `last verified ${form.verified}`}; due ${due}`,
    ...(form.sources.length > 0 ? [`Source: ${sourceText(form.sources)}`] : []),
    ...(form.purchasesOn ? [`Use tax on your purchases goes on ${form.purchasesOn.form}`] : []),
  ];
  const lines = form.lines.map((line) => [
    line.line,
    line.label,
    line.formula.text,
    line.role ?? '',
    verifiedWord(form, line),
  ]);
  return `${head.join('\n')}\n\n${textTable([['Line', 'What it is', 'Formula', 'Role', 'On the form'], ...lines])}`;
};

/** Returns a return as JSON. */
export const returnObject = ({ form, due, hasDiscount }: KnownReturn): object => ({
  state: form.state,
  of: form.of,
  form: form.form,
  title: form.title,
  revision: form.revision,
  frequencies: form.frequencies,
  from: form.from ?? null,
  checked: form.verified === false ? null : form.verified,
  sources: form.sources,
  due,
  discount: hasDiscount,
  upload: form.upload ?? null,
  purchases_on: form.purchasesOn?.form ?? null,
  lines: form.lines.map((line) => ({
    line: line.line,
    label: line.label,
    formula: line.formula.text,
    role: line.role ?? null,
    on_the_form: verifiedWord(form, line),
  })),
});

const COLLECTS = {
  own: 'Returns of their own, unless the registration says localTax: with-state',
  'with-state': 'On the one return of the state, unless the registration says localTax: own',
} as const;

/** Formats a collector rule as text. */
export const collectorText = ({ level, names, collects, verified, sources, note }: CollectorRule): string => {
  const every = level === 'city' ? 'every city' : 'every county';
  return [
    `${COLLECTS[collects]}: ${names.map((name) => (name === '*' ? every : name)).join(', ')}`,
    `${verified === false ? 'Not verified' : `Last verified ${verified}`}: ${sourceText(sources)}`,
    ...(note === undefined ? [] : [note]),
    '',
  ].join('\n');
};

/** Returns a collector rule as JSON. */
export const collectorObject = (rule: CollectorRule): object => ({
  state: rule.state,
  level: rule.level,
  names: rule.names,
  collects: rule.collects,
  from: rule.from ?? null,
  checked: rule.verified === false ? null : rule.verified,
  sources: rule.sources,
});

const verifiedWord = (form: ReturnForm, line: FormLine): string =>
  line.working ? 'working' : form.verified === false || line.verified === false ? 'not verified' : 'verified';
