import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { checkConfiguration } from '../close/configuration/check-configuration.ts';
import { draftCommand } from '../close/sales/draft/draft-command.ts';
import { isSalesProfile } from '../close/sales/shipped-profiles.ts';
import { addDays, type CalendarDate, isTimeZone, zoneCalendar } from '../kernel/calendar.ts';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { quoted } from '../kernel/quoted-path.ts';
import { problemTexts } from '../kernel/schema-problems.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { timeZoneOfZip } from '../kernel/us-time-zones.ts';
import { exists } from '../runtime/exists.ts';
import { passingLine } from '../runtime/progress.ts';
import { configurationText, type OpenDecision } from '../setup/configuration-text.ts';
import type { Decisions, Proposal } from '../setup/proposal.ts';
import { noExports, propose } from '../setup/propose.ts';
import { readShipFrom, type ShipFrom } from '../setup/read-ship-from.ts';
import { type FolderSurvey, surveyFolder } from '../setup/survey-folder.ts';
import {
  ADDRESS_EXAMPLE,
  askShipFrom,
  askTimeZone,
  decide,
  type InitOptions,
  titleOf,
} from './init-questions.ts';
import type { CommandIo } from './io.ts';
import { textTable } from './text-table.ts';
import { existsAlready, writeNewFile } from './write-new-file.ts';

/** Examines the exports of a folder, asks for what they do not show, and writes a configuration for them. */
export const initFolder = async (io: CommandIo, folder: string, options: InitOptions): Promise<ExitCode> => {
  const isQuiet = options.json === true;
  const ask = options.yes === true || isQuiet ? undefined : io.ask;
  if (options.yes !== true && !isQuiet && ask === undefined) throw nobodyAnswers(folder);
  refuseWrong(options);
  if (options.shipFrom === undefined && ask === undefined) throw noShipFrom(folder);
  const file = options.output ?? join(folder, 'tieout.yaml');
  if (await exists(file)) throw existsAlready(file, 'configuration');
  if (!(await exists(folder))) throw noFolder(folder);

  const reading = (what: string): void => {
    if (io.isTerminal && !isQuiet) io.warn(passingLine(what));
  };
  const survey = await surveyFolder(folder, (name) => reading(`  reading ${name} …`)).finally(() =>
    reading(''),
  );
  if (!isQuiet) io.print(surveyText(survey, folder));
  if (!survey.recognised.some(({ found }) => isSalesProfile(found.profile)))
    throw noExports(folder, survey, []);
  const shipFrom =
    ask && options.shipFrom === undefined ? await askShipFrom(ask) : saidShipFrom(options.shipFrom ?? '');
  const there = timeZoneOfZip(shipFrom.zip, shipFrom.states);
  const timeZone = options.timeZone ?? (ask ? await askTimeZone(ask, there.zone) : there.zone);
  const proposal = await propose(folder, survey, {
    tryExports: io.tryExports,
    shipFrom,
    timeZone,
    reading: (what) => reading(`  reading ${what} …`),
  }).finally(() => reading(''));
  const isZoneSure = there.isSure || ask !== undefined || options.timeZone !== undefined;
  const said = await decide(ask, proposal, options, {
    name: titleOf(basename(resolve(folder))),
    timeZone,
    isZoneSure,
  });
  const place = relative(dirname(resolve(file)), resolve(folder));
  const { text, decisions } = configurationText(proposal, said, (name) => join(place, name));
  refuseInvalid(text);
  await writeNewFile(file, text, 'configuration');
  const result: Initiated = {
    file,
    proposal,
    said,
    decisions,
    period: periodToClose(proposal, timeZone, io),
  };
  io.print(isQuiet ? `${JSON.stringify(initObject(survey, folder, result), null, 2)}\n` : initText(result));
  return ExitCode.clean;
};

/** Returns the month of the last sale, but at most the last complete month. */
const periodToClose = ({ channels }: Proposal, timeZone: string, { clock }: CommandIo): string => {
  const today = zoneCalendar(timeZone).dateAt(clock.now());
  const before = addDays(`${today.slice(0, 7)}-01` as CalendarDate, -1);
  const sold = channels
    .flatMap(({ facts }) => facts.last ?? [])
    .sort()
    .at(-1);
  return [before, sold ?? before].sort()[0]?.slice(0, 7) ?? before;
};

const refuseWrong = ({ shipFrom, timeZone }: InitOptions): void => {
  if (shipFrom !== undefined) saidShipFrom(shipFrom);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw usage(`"${timeZone}" is not a time zone`, 'Write an IANA name such as America/Los_Angeles.');
};

const saidShipFrom = (text: string): ShipFrom => {
  const said = readShipFrom(text);
  if (typeof said !== 'string') return said;
  throw usage(said, `Write a ZIP code, such as --ship-from 95814, or --ship-from "${ADDRESS_EXAMPLE}".`);
};

/** Refuses text that is not a valid configuration, whatever the exports contained. */
const refuseInvalid = (text: string): void => {
  const document = parseDocument(text);
  const { problems } = checkConfiguration(document.toJS());
  const [problem] = [...document.errors.map(({ message }) => message), ...problemTexts(problems)];
  if (problem !== undefined) throw new DefectError(`the proposed configuration is not valid: ${problem}`);
};

const usage = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_USAGE', message, nextStep });

const nobodyAnswers = (folder: string): TieoutError =>
  usage(
    'init asks questions, and no terminal is here to answer them',
    `Write \`tieout init ${quoted(folder)} --yes --ship-from ZIP\`: it asks nothing and marks every assumption in the file.`,
  );

const noShipFrom = (folder: string): TieoutError =>
  usage(
    'init needs the ZIP code that orders are sent from: no export shows it, and some states tax by it',
    `Write \`tieout init ${quoted(folder)} --yes --ship-from ZIP\`, such as --ship-from 95814.`,
  );

const noFolder = (folder: string): TieoutError =>
  new TieoutError({
    code: 'E_INIT_NO_EXPORTS',
    message: `${folder}: there is no such folder`,
    nextStep: 'Name the folder with the exports of your shops.',
  });

/** A configuration that was written, and the data it is based on. */
type Initiated = {
  readonly file: string;
  readonly proposal: Proposal;
  readonly said: Decisions;
  readonly decisions: readonly OpenDecision[];
  /** The month to close first. */
  readonly period: string;
};

/** Describes each file of the folder for people. */
const surveyText = (survey: FolderSurvey, folder: string): string => {
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

/** Describes what was written, what to decide in it, and the next step. */
const initText = ({ file, proposal, said, decisions, period }: Initiated): string => {
  const { channels } = proposal;
  const total = (pick: (facts: (typeof channels)[number]['facts']) => number, one: string): string =>
    shownNumber(
      channels.reduce((sum, { facts }) => sum + pick(facts), 0),
      one,
    );
  const config = resolve(file) === resolve('tieout.yaml') ? '' : ` --config ${quoted(file)}`;
  const lines = [
    '',
    `Wrote ${file}: ${channels.map(({ name }) => name).join(', ')} with ${total(({ orders }) => orders, 'order')} and ${total(({ refunds }) => refunds, 'refund')}; registered in ${said.registered.join(', ') || 'no state'}.`,
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
    `  tieout close ${period} --plan${config}`,
    `  tieout close ${period}${config}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** Returns the same information as JSON. */
const initObject = (
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
