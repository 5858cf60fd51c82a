import { basename, dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { parseDocument } from 'yaml';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import { problemTexts } from '../kernel/schema-problems.ts';
import { quoted, shownNumber } from '../kernel/text.ts';
import { isTimeZone, wantedZone, zoneCalendar } from '../kernel/time-zones.ts';
import { timeZoneOf } from '../kernel/us-regions.ts';
import { exists } from '../runtime/publish-folder.ts';
import { isSalesProfile } from '../sales/load-profiles.ts';
import { configurationText, type OpenDecision } from '../setup/configuration-text.ts';
import { type Proposal, readShipFrom, type Seller, type ShipFrom } from '../setup/proposal.ts';
import { noExports, propose } from '../setup/propose.ts';
import { type FolderSurvey, surveyFolder } from '../setup/survey-folder.ts';
import type { CommandIo } from './io.ts';
import { textTable } from './print.ts';
import { existsAlready, writeNewFile } from './write-new-file.ts';

type InitOptions = {
  readonly output?: string;
  readonly name?: string;
  readonly shipFrom?: string;
  readonly timeZone?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/** Builds `tieout init FOLDER`: creates a configuration for a folder of exports. */
export const initCommand = (io: CommandIo): Command =>
  new Command('init')
    .argument('[folder]', 'the folder with the exports of your shops', '.')
    .option('-o, --output <file>', 'write the configuration there (default: tieout.yaml in the folder)')
    .option('--name <name>', 'the seller’s name')
    .option('--ship-from <address>', 'the ZIP code or address that orders are sent from')
    .option('--time-zone <zone>', 'the zone that decides which day a sale belongs to')
    .option('-y, --yes', 'ask nothing')
    .option('--json', 'print a single JSON object to stdout')
    .action((folder: string, options: InitOptions) => initFolder(io, folder, options));

/** Examines the exports of a folder, and writes a configuration for them in which every assumption is marked. */
const initFolder = async (io: CommandIo, folder: string, options: InitOptions): Promise<void> => {
  const { json = false } = options;
  if (options.timeZone !== undefined && !isTimeZone(options.timeZone))
    throw usage(`"${options.timeZone}" is not a time zone`, `Write ${wantedZone(options.timeZone)}.`);
  const shipFrom = await shipFromOf(io, folder, options);
  const file = options.output ?? join(folder, 'tieout.yaml');
  if (await exists(file)) throw existsAlready(file, 'configuration');
  if (!(await exists(folder))) throw noFolder(folder);
  const survey = await surveyFolder(folder);
  if (!json) io.print(surveyText(survey));
  if (!survey.recognised.some(({ found }) => isSalesProfile(found.profile)))
    throw noExports(folder, survey, []);
  const there = timeZoneOf(shipFrom.states);
  const timeZone = options.timeZone ?? there.zone;
  const proposal = await propose(folder, survey, { tryExports: io.tryExports, shipFrom, timeZone });
  const name = options.name ?? titleOf(basename(resolve(folder)));
  const isZoneSure = there.isSure || options.timeZone !== undefined;
  const seller = { entity: slugOf(name), name, timeZone, isZoneSure };
  const place = relative(dirname(resolve(file)), resolve(folder));
  const { text, decisions } = configurationText(proposal, seller, (path) => join(place, path));
  refuseInvalid(text);
  await writeNewFile(file, text, 'configuration');
  const period = periodToClose(proposal, timeZone, io);
  const written = { file, proposal, seller, decisions, period };
  io.print(json ? `${JSON.stringify(initObject(survey, written), null, 2)}\n` : initText(written));
};

/** Returns where orders are sent from. Exports do not show it, and a guess leads to wrong rates: it is asked for. */
const shipFromOf = async (
  { ask }: CommandIo,
  folder: string,
  { shipFrom, yes = false, json = false }: InitOptions,
): Promise<ShipFrom> => {
  const isAsked = shipFrom === undefined && !yes && !json;
  if (shipFrom === undefined && (!isAsked || !ask))
    throw usage(
      'init needs the ZIP code that orders are sent from: no export shows it, and some states tax by it',
      `Write \`tieout init ${quoted(folder)} --ship-from ZIP\`, such as --ship-from 95814.`,
    );
  for (;;) {
    const read = readShipFrom(
      shipFrom ?? (await ask?.('ZIP code or address that orders are sent from: ')) ?? '',
    );
    if (typeof read !== 'string') return read;
    if (!isAsked)
      throw usage(
        read,
        'Write a ZIP code, such as --ship-from 95814, or --ship-from "1201 K Street, Sacramento, CA 95814".',
      );
  }
};

/** Returns the month of the last sale, but at most the last complete month. */
const periodToClose = ({ channels }: Proposal, timeZone: string, { clock }: CommandIo): string => {
  const today = zoneCalendar(timeZone).dateAt(clock.now());
  const before = addDays(`${today.slice(0, 7)}-01` as CalendarDate, -1);
  const sold = channels.flatMap(({ facts }) => facts.last ?? []).sort();
  return [before, sold.at(-1) ?? before].sort()[0]?.slice(0, 7) ?? before;
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

const noFolder = (folder: string): TieoutError =>
  new TieoutError({
    code: 'E_INIT_NO_EXPORTS',
    message: `${folder}: there is no such folder`,
    nextStep: 'Name the folder with the exports of your shops.',
  });

/** A configuration that was written, and the data it is based on. */
type Written = {
  readonly file: string;
  readonly proposal: Proposal;
  readonly seller: Seller;
  readonly decisions: readonly OpenDecision[];
  /** The month to close first. */
  readonly period: string;
};

/** Describes each file of the folder for people. */
const surveyText = (survey: FolderSurvey): string => {
  const rows = filesOf(survey).map(({ file, is }) => [`  ${file}`, is]);
  const folders =
    survey.folders.length === 0 ? '' : `  Folders inside are not searched: ${survey.folders.join(', ')}\n`;
  return `${rows.length === 0 ? '' : textTable(rows)}${folders}`;
};

const filesOf = ({ recognised, certificates, ownProfiles, strange }: FolderSurvey) => [
  ...recognised.map(({ file: { name }, found: { profile } }) => ({
    file: name,
    kind: profile.capability,
    is: `${profile.title}${NOTES[profile.capability] ?? ''}`,
  })),
  ...certificates.map((file) => ({ file, kind: 'certificates', is: 'register of exemption certificates' })),
  ...ownProfiles.map(({ entry, id }) => ({ file: entry, kind: 'profile', is: `source profile ${id}` })),
  ...strange.map(({ entry, what, step }) => ({
    file: entry,
    kind: 'unknown',
    is: step === undefined ? what : `${what}. ${step}`,
  })),
];

const NOTES: Readonly<Record<string, string>> = {
  'refund-dates': ' (dates the refunds)',
  'tax-report': ' (the tax by jurisdiction)',
  'control-total': ' (totals only, left out)',
  refused: ' (no sales, left out)',
};

/** Describes what was written, what to decide in it, and the next step. */
const initText = ({ file, proposal, decisions, period }: Written): string => {
  const { channels, registrations } = proposal;
  const total = (of: 'orders' | 'refunds'): number => channels.reduce((sum, { facts }) => sum + facts[of], 0);
  const config = resolve(file) === resolve('tieout.yaml') ? '' : ` --config ${quoted(file)}`;
  const lines = [
    '',
    `Wrote ${file}: ${channels.map(({ name }) => name).join(', ')} with ${shownNumber(total('orders'), 'order')} and ${shownNumber(total('refunds'), 'refund')}; registered in ${registrations.map(({ state }) => state).join(', ') || 'no state'}.`,
    '',
    'Check these lines before you file:',
    ...decisions.map(({ line, what }) => `  ${file}:${line}  ${what}`),
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
  { file, proposal, seller, decisions, period }: Written,
): object => ({
  configuration: file,
  entity: seller.entity,
  files: filesOf(survey),
  channels: proposal.channels.map(({ name, profile, facts: { orders, refunds, first, last } }) => ({
    ...{ name, profile, orders, refunds, first_date: first ?? null, last_date: last ?? null },
  })),
  registrations: proposal.registrations.map(({ state }) => state),
  decisions,
  period,
});

/** A name for the seller, from the name of the folder. */
const titleOf = (folderName: string): string => {
  const words = folderName.split(/[^\p{L}\p{N}&]+/u).filter((word) => word !== '');
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ') || 'My shop';
};

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'my-shop';
