import { discountRuleFor, dueDateRuleFor, type FilingLaw } from '../close/filing/law/filing-law.ts';
import { isInForce, sourceText } from '../close/filing/law/law-row.ts';
import type { FormLine, ReturnForm } from '../close/filing/law/return-form.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { textTable } from './text-table.ts';

/** A return as of a day, with what the state says beside it. */
export type KnownReturn = {
  readonly form: ReturnForm;
  /** `day 20`, and whether that was seen in a source. */
  readonly due: string;
  readonly hasDiscount: boolean;
};

/** The returns in force on a day: all of them, or those of a state, which has the general ones where it has none. */
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
      due: `${rule}${verified === false ? ', not seen' : ''}`,
      hasDiscount: discountRuleFor(law, wanted, frequency, on) !== undefined,
    };
  });
};

/** One row for each return. */
export const returnsText = (known: readonly KnownReturn[]): string =>
  textTable([
    ['State', 'Return', 'Filed', 'Since', 'Checked', 'Lines', 'Not seen', 'Due', 'Discount', 'Upload file'],
    ...known.map(({ form, due, hasDiscount }) => [
      form.state,
      form.form,
      form.frequencies.length === 4 ? 'any' : form.frequencies.join(', '),
      form.from ?? '',
      form.verified === false ? 'no' : form.verified,
      String(form.lines.length),
      String(form.lines.filter((line) => seen(form, line) === 'not seen').length),
      due,
      hasDiscount ? 'yes' : '',
      form.upload ?? '',
    ]),
  ]);

/** A return line by line, as the workbook shows it. */
export const returnText = ({ form, due }: KnownReturn): string => {
  const head = [
    `${form.state} ${form.form}: ${form.title}`,
    `Revision ${form.revision}; ${form.verified === false ? 'not held against a source' : `held against its source on ${form.verified}`}; due ${due}`,
    ...(form.sources.length > 0 ? [`Source: ${sourceText(form.sources)}`] : []),
  ];
  const lines = form.lines.map((line) => [
    line.line,
    line.label,
    line.formula.text,
    line.role ?? '',
    seen(form, line),
  ]);
  return `${head.join('\n')}\n\n${textTable([['Line', 'What it is', 'Formula', 'Role', 'On the form'], ...lines])}`;
};

/** A return as JSON. */
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
  lines: form.lines.map((line) => ({
    line: line.line,
    label: line.label,
    formula: line.formula.text,
    role: line.role ?? null,
    on_the_form: seen(form, line),
  })),
});

const seen = (form: ReturnForm, line: FormLine): string =>
  line.working ? 'working' : form.verified === false || line.verified === false ? 'not seen' : 'seen';
