import { readFileSync } from 'node:fs';
import { inWords } from '../../src/filing/dates.ts';
import { isInForce } from '../../src/filing/law-row.ts';
import { discountRuleFor, dueDateRuleFor, loadFilingLaw } from '../../src/filing/load-filing-law.ts';
import type { FilingLaw } from '../../src/filing/read-filing-law.ts';
import type { ReturnForm } from '../../src/filing/return-form.ts';
import { type CalendarDate, calendarDate } from '../../src/kernel/calendar.ts';
import { tableLines } from './markdown.ts';

const DATA = new URL('../../src/content/data/', import.meta.url);

/** The page about what is known of each state: its local rates, and its returns with their due dates. */
export const coveragePage = (): string => {
  const { date } = JSON.parse(readFileSync(new URL('manifest.json', DATA), 'utf8')) as { date: string };
  const [, ...states] = readFileSync(new URL('coverage.tsv', DATA), 'utf8').trimEnd().split('\n');
  const law = loadFilingLaw();
  const on = calendarDate(date);
  const head = ['State', 'Local rates', 'Seen', 'What that is', 'Return', 'Due', 'Discount'];
  const rates = states.map((line) => rowOf(line, law, on));
  const places = collectorRows(law, on);
  const sources = sourceRows(law, on);
  return [
    headOf(date),
    ...tableLines([head, ...rates]),
    '',
    PLACES,
    ...tableLines([['State', 'Places', 'Return', 'Verified', 'Note'], ...places]),
    '',
    SOURCES,
    ...tableLines([['State', 'Return', 'Verified', 'Sources'], ...sources]),
    '',
    LEFT_OUT,
  ].join('\n');
};

const headOf = (date: string): string => `# What is known of each state

The local rates of the tax content of ${date}, and the return as of that day. \`tieout content status\` says it of the content at hand;
\`docs/content.md\` says how official rate files are taken in, \`docs/returns.md\` how a return is added. Where local rates are not complete, a sale in a
place that is missing is taxed with what is known of its county and state, and flagged. "Not verified" are lines of a return that no source showed.
`;

const PLACES = `## Places that collect their own tax

A place has a return of its own, or is on the return of the state, unless the registration says \`localTax\` or \`localReturns\`.
`;

const SOURCES = `## Where the returns are from

What each line of a return was compared with, and where it is found.
`;

const LEFT_OUT = `## What was left out

Rows of the sources of 2026 that the content does not have; where one differs from another, both rates.

\`\`\`
${readFileSync(new URL('left-out.tsv', DATA), 'utf8')}\`\`\`
`;

const rowOf = (line: string, law: FilingLaw, on: CalendarDate): readonly string[] => {
  const [state = '', coverage = '', seen = '', note = ''] = line.split('\t');
  const inForce = law.forms.filter((form) => isInForce(form, on) && form.of !== 'place');
  const own = inForce.filter((form) => form.state === state);
  const isMapped = own.some(({ of }) => of === 'state');
  const general = inForce.filter((form) => form.state === '*' && form.of === 'state' && !isMapped);
  const forms = coverage === 'none' ? [] : [...own, ...general];
  const dues = new Set(forms.map((form) => dueOf(form, state, on)));
  const discounts = forms.some((form) => discountRuleFor(wantedOf(form, state), on)) ? 'yes' : '';
  return [
    state,
    coverage,
    seen,
    note,
    forms.map(nameOf).join('; ') || 'none',
    [...dues].join('; '),
    discounts,
  ];
};

const collectorRows = ({ collectors }: FilingLaw, on: CalendarDate): readonly (readonly string[])[] =>
  collectors
    .filter((rule) => isInForce(rule, on))
    .map(({ state, level, names, collects, verified, note = '' }) => [
      state,
      names.includes('*') ? `every ${level}` : names.join(', '),
      collects === 'own' ? 'its own' : 'the state’s',
      verified === false ? 'no' : verified,
      note,
    ]);

const sourceRows = ({ forms }: FilingLaw, on: CalendarDate): readonly (readonly string[])[] =>
  forms
    .filter((form) => isInForce(form, on) && form.sources.length > 0)
    .map(({ state, form, verified, sources }) => [
      state,
      form,
      verified === false ? 'no' : verified,
      sources.map(({ title, url }) => (url === undefined ? title : `[${title}](${url})`)).join('; '),
    ]);

const nameOf = ({ state, form, lines, verified }: ReturnForm): string => {
  if (state === '*') return 'general';
  const own = lines.filter(({ working }) => !working);
  const doubtful = verified === false ? own : own.filter((line) => line.verified === false);
  return doubtful.length === 0 ? form : `${form}, ${doubtful.length} of ${lines.length} lines not verified`;
};

/** The return and its usual frequency, as rows of law are looked up. */
const wantedOf = ({ of, form, frequencies }: ReturnForm, state: string) =>
  ({ state, kind: of, name: of === 'fee' ? form : '', frequency: frequencies[0] ?? 'monthly' }) as const;

const dueOf = (form: ReturnForm, state: string, on: CalendarDate): string => {
  const { rule, verified } = dueDateRuleFor(wantedOf(form, state), on);
  return `${inWords(rule).replace('Due on ', '').replace('Due ', '')}${verified === false ? ', not verified' : ''}`;
};
