import { join } from 'node:path';
import { REFUSED } from '../close/compare/answer-fields.ts';
import { type ComparedSale, taxOfAll } from '../close/report/sheets/compared-sales.ts';
import type { Comparison } from '../close/stages/compare/compare-services.ts';
import type { WrittenComparison } from '../close/stages/compare/write-comparison.ts';
import { formatMoney, type Money, sum } from '../kernel/money.ts';

/** Sales shown one by one, and sentences of each side; the workbook has all. */
const SALES_SHOWN_MAX = 10;
const REASONS_SHOWN_MAX = 3;
const WIDTH = 80;

type Told = Comparison & {
  readonly written: WrittenComparison;
  readonly entity: string;
  readonly period: string;
};

/** Where two services differ, as a table of at most 80 columns. */
export const comparisonText = (comparison: Told, isSeveral: boolean): string => {
  const { entity, period, own, other, differences, written } = comparison;
  const lines = [
    ...(isSeveral ? ['', `${entity} ${period}`] : []),
    clip(`own:   ${own}`),
    clip(`other: ${other}`),
    ...(differences.length === 0 ? [] : ['', ...fieldLines(differences), '']),
    ...differences.slice(0, SALES_SHOWN_MAX).flatMap(saleLines),
    ...(differences.length > SALES_SHOWN_MAX
      ? [`and ${differences.length - SALES_SHOWN_MAX} more, which are in the workbook`]
      : []),
    verdict(comparison),
    ...written.files.map((file) => join(written.folder, file)),
  ];
  return `${lines.join('\n')}\n`;
};

const verdict = ({ questions, sales, differences }: Comparison): string => {
  if (questions === 0) return 'no sale of the period has anything to be asked';
  if (differences.length === 0) return `the same answers to all ${questions} questions of ${sales} sales`;
  const tax = sum(differences.map(taxOfAll));
  const refused = differences.filter(isRefused).reduce((total, one) => total + one.sales, 0);
  const count = differences.reduce((total, one) => total + one.sales, 0);
  const unanswered = refused === 0 ? '' : ` where both answered; ${refused} were refused by one of them`;
  return `${count} of ${sales} sales differ; the other service has ${signed(tax)} tax${unanswered}`;
};

const isRefused = ({ fields }: ComparedSale): boolean => fields.some(({ field }) => field === REFUSED);

const signed = (amount: Money): string => (amount > 0 ? `+${formatMoney(amount)}` : formatMoney(amount));

/** How many sales differ in each field. */
const fieldLines = (differences: readonly ComparedSale[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { fields, sales } of differences)
    for (const { field } of fields) counts.set(field, (counts.get(field) ?? 0) + sales);
  const words = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([field, count]) => `${field} ${count}`);
  return wrapped('fields: ', words);
};

const wrapped = (label: string, words: readonly string[]): readonly string[] => {
  const lines = [label];
  for (const [index, word] of words.entries()) {
    const piece = index < words.length - 1 ? `${word}, ` : word;
    const last = lines.at(-1) ?? '';
    if ((last + piece).trimEnd().length <= WIDTH) lines[lines.length - 1] = last + piece;
    else lines.push(' '.repeat(label.length) + piece);
  }
  return lines.map((line) => line.trimEnd());
};

const saleLines = ({ record, state, date, sales, tax, fields, ownReasons, otherReasons }: ComparedSale) => [
  clip(`${record} ${state} ${date}${sales > 1 ? ` and ${sales - 1} like it` : ''}: ${signed(tax)}`),
  ...fields.map(({ field, own, other }) =>
    clip(`  ${field.padEnd(24)} ${clip(own, 24).padEnd(25)} ${clip(other, 24)}`.trimEnd()),
  ),
  ...ownReasons.slice(0, REASONS_SHOWN_MAX).map((reason) => clip(`    own:   ${reason}`)),
  ...otherReasons.slice(0, REASONS_SHOWN_MAX).map((reason) => clip(`    other: ${reason}`)),
];

const clip = (text: string, width = WIDTH): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;
