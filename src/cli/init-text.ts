import { join, resolve } from 'node:path';
import { draftCommand } from '../close/sales/draft/draft-command.ts';
import type { OpenDecision } from '../close/setup/configuration-text.ts';
import type { Decisions, Proposal } from '../close/setup/proposal.ts';
import type { FolderSurvey } from '../close/setup/survey-folder.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { textTable } from './text-table.ts';

/** A configuration that was written, and what it rests on. */
export type Initiated = {
  readonly file: string;
  readonly proposal: Proposal;
  readonly said: Decisions;
  readonly decisions: readonly OpenDecision[];
  /** A month that can be closed first. */
  readonly period: string;
};

/** What each file of the folder is, as a person reads it. */
export const surveyText = (survey: FolderSurvey, folder: string): string => {
  const files = filesOf(survey, (entry) => draftCommand(join(folder, entry)));
  const rows = files.map(({ file, is }) => [`  ${file}`, is]);
  const folders =
    survey.folders.length === 0 ? '' : `  Folders inside are not searched: ${survey.folders.join(', ')}\n`;
  const isUnknown = survey.strange.some(({ what }) => what === 'unknown');
  const unknown = isUnknown
    ? '  To read an unknown file, answer each DECIDE in its draft and run init again: docs/first-books.md.\n'
    : '';
  return `${files.length === 0 ? '' : textTable(rows)}${unknown}${folders}`;
};

type Surveyed = { readonly file: string; readonly kind: string; readonly is: string };

const filesOf = (
  { recognised, certificates, ownProfiles, strange }: FolderSurvey,
  commandFor: (entry: string) => string,
): readonly Surveyed[] => [
  ...recognised.map(({ file: { name }, found: { profile } }) => ({
    file: name,
    kind: profile.capability,
    is: `${profile.title}${NOTES[profile.capability] ?? ''}`,
  })),
  ...certificates.map((file) => ({ file, kind: 'certificates', is: 'register of exemption certificates' })),
  ...ownProfiles.map(({ entry, id }) => ({ file: entry, kind: 'profile', is: `source profile ${id}` })),
  ...strange.map(({ entry, said, what }) => ({
    file: entry,
    kind: 'unknown',
    is:
      what === 'unknown'
        ? `unknown: ${said}; if it holds sales, describe it: \`${commandFor(entry)}\``
        : said,
  })),
];

const NOTES: Readonly<Record<string, string>> = {
  'refund-dates': ' (dates the refunds)',
  'tax-report': ' (the tax by jurisdiction)',
  'control-total': ' (totals only, left out)',
  refused: ' (no sales, left out)',
};

/** What was written, what to decide in it, and what to do next. */
export const initText = ({ file, proposal, said, decisions, period }: Initiated): string => {
  const { channels } = proposal;
  const total = (pick: (facts: (typeof channels)[number]['facts']) => number, one: string): string =>
    shownNumber(
      channels.reduce((sum, { facts }) => sum + pick(facts), 0),
      one,
    );
  const config = resolve(file) === resolve('tieout.yaml') ? '' : ` --config ${file}`;
  const lines = [
    '',
    `Wrote ${file}: ${channels.map(({ name }) => name).join(', ')} with ${total(({ orders }) => orders, 'order')} and ${total(({ refunds }) => refunds, 'refund')}; registered in ${said.registered.join(', ')}.`,
    ...(decisions.length === 0
      ? []
      : [
          '',
          'Check these lines before you file:',
          ...decisions.map(({ line, what }) => `  ${file}:${line}  ${what}`),
        ]),
    '',
    'Next:',
    `  tieout doctor${config}`,
    `  tieout plan ${period}${config}`,
    `  tieout close ${period}${config}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** The same for scripts. */
export const initObject = (
  survey: FolderSurvey,
  folder: string,
  { file, proposal, said, decisions, period }: Initiated,
): object => ({
  configuration: file,
  entity: said.entity,
  files: filesOf(survey, (entry) => draftCommand(join(folder, entry))),
  channels: proposal.channels.map(({ name, profile, facts: { orders, refunds, first, last } }) => ({
    name,
    profile,
    orders,
    refunds,
    first_date: first ?? null,
    last_date: last ?? null,
  })),
  registrations: said.registered,
  decisions,
  period,
});
