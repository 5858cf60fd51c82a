import { basename, dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { parseDocument } from 'yaml';
import { checkConfiguration } from '../close/configuration/check-configuration.ts';
import { draftCommand } from '../close/sales/draft-profile.ts';
import { isSalesProfile } from '../close/sales/load-profiles.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { DefectError, ExitCode, TieoutError } from '../kernel/errors.ts';
import { problemTexts } from '../kernel/schema-problems.ts';
import { quoted, shownNumber } from '../kernel/text.ts';
import { isTimeZone, wantedZone, zoneCalendar } from '../kernel/time-zones.ts';
import { timeZoneOf, usRegionCode } from '../kernel/us-regions.ts';
import { passingLine } from '../runtime/progress.ts';
import { exists } from '../runtime/publish-folder.ts';
import { configurationText, type OpenDecision } from '../setup/configuration-text.ts';
import { type Decisions, type Proposal, readShipFrom, type ShipFrom } from '../setup/proposal.ts';
import { noExports, propose } from '../setup/propose.ts';
import { type FolderSurvey, surveyFolder } from '../setup/survey-folder.ts';
import type { CommandIo } from './io.ts';
import { textTable } from './print.ts';
import { existsAlready, writeNewFile } from './write-new-file.ts';

/** Builds `tieout init FOLDER`: creates a configuration for a folder of exports. */
export const initCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('init')
    .argument('[folder]', 'the folder with the exports of your shops', '.')
    .option('-o, --output <file>', 'write the configuration there (default: tieout.yaml in the folder)')
    .option('--name <name>', 'the seller’s name')
    .option('--ship-from <address>', 'the ZIP code or address that orders are sent from')
    .option('--time-zone <zone>', 'the zone that decides which day a sale belongs to')
    .option('-y, --yes', 'ask nothing, and mark every assumption in the file')
    .option('--json', 'print a single JSON object to stdout')
    .action(async (folder: string, options: InitOptions) => {
      exit(await initFolder(io, folder, options));
    });

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
  const there = timeZoneOf(shipFrom.states);
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
    throw usage(`"${timeZone}" is not a time zone`, `Write ${wantedZone(timeZone)}.`);
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

export type InitOptions = {
  readonly output?: string;
  readonly name?: string;
  readonly shipFrom?: string;
  readonly timeZone?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

type Ask = (question: string) => Promise<string>;

export const ADDRESS_EXAMPLE = '1201 K Street, Sacramento, CA 95814';

/** Asks for the ship-from address. Exports do not show it and a guess leads to wrong rates, so there is no default. */
export const askShipFrom = (ask: Ask): Promise<ShipFrom> =>
  questioner(ask)(
    'ZIP code or address that orders are sent from',
    '',
    (text) => {
      const said = readShipFrom(text);
      return typeof said === 'string' ? undefined : said;
    },
    `a ZIP code in use, or an address such as ${ADDRESS_EXAMPLE}`,
  );

export const askTimeZone = (ask: Ask, proposed: string): Promise<string> =>
  questioner(ask)(
    'Time zone of the seller',
    proposed,
    (text) => (isTimeZone(text) ? text : undefined),
    'an IANA name such as America/Los_Angeles',
  );

/** What is decided: the options, else the answers, each with a default that an empty one accepts, else assumptions. */
export const decide = async (
  ask: Ask | undefined,
  { registrations }: Proposal,
  options: InitOptions,
  assumed: Pick<Decisions, 'name' | 'timeZone' | 'isZoneSure'>,
): Promise<Decisions> => {
  const proposed = registrations.map(({ state }) => state);
  const asked = ask && questioner(ask);
  const name =
    options.name ?? (asked ? await asked('Name of the seller', assumed.name, (text) => text) : assumed.name);
  const registered = asked
    ? await asked(
        'States in which the seller is registered; tax was charged in these',
        proposed.join(' '),
        statesIn,
        'postal codes such as CA NY TX',
      )
    : proposed;
  return { ...assumed, entity: slugOf(name), name, registered, isRegistrationSaid: ask !== undefined };
};

/** Repeats a question until the answer is valid. */
const questioner =
  (ask: Ask) =>
  async <Value>(
    question: string,
    proposed: string,
    read: (text: string) => Value | undefined,
    form = 'it again',
  ): Promise<Value> => {
    const shown = `${question}${proposed === '' ? '' : ` [${proposed}]`}: `;
    let prompt = shown;
    for (;;) {
      const value = read((await ask(prompt)).trim() || proposed);
      if (value !== undefined) return value;
      prompt = `Please write ${form}. ${shown}`;
    }
  };

const statesIn = (text: string): readonly string[] | undefined => {
  const codes = text.split(/[\s,]+/).filter((word) => word !== '');
  const states = codes.map((code) => (code.length === 2 ? usRegionCode(code) : undefined));
  return states.every((state) => state !== undefined) ? [...new Set(states)] : undefined;
};

/** A name for the seller, from the name of the folder. */
export const titleOf = (folderName: string): string => {
  const words = folderName.split(/[^\p{L}\p{N}&]+/u).filter((word) => word !== '');
  return words.length === 0
    ? 'My shop'
    : words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ');
};

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'my-shop';
