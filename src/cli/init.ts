import { basename, dirname, join, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { quoted, shownNumber } from '../kernel/text.ts';
import { isTimeZone, WANTED_ZONE, zoneCalendar } from '../kernel/time-zones.ts';
import { timeZoneOf } from '../kernel/us-regions.ts';
import { holdMemory } from '../runtime/hold-memory.ts';
import { exists } from '../runtime/publish-folder.ts';
import { isCompanionProfile, isSalesProfile } from '../sales/detect-profile.ts';
import type { Profile } from '../sales/profile.ts';
import { filesIn } from '../sales/survey-file.ts';
import { propose } from '../setup/propose.ts';
import { type FolderSurvey, readShipFrom, type ShipFrom, surveyFolder } from '../setup/survey-folder.ts';
import type { CommandIo } from './io.ts';
import { usageError } from './options.ts';
import { existsAlready, textTable, writeNewFile } from './print.ts';

type InitOptions = {
  readonly output?: string;
  readonly name?: string;
  readonly shipFrom?: string;
  readonly timeZone?: string;
};

/** Builds `tieout init FOLDER`: creates a configuration for a folder of exports. */
export const initCommand = (io: CommandIo): Command =>
  new Command('init')
    .argument('[folder]', 'the folder with the exports of your shops', '.')
    .option('-o, --output <file>', 'write the configuration there (default: tieout.yaml in the folder)')
    .option('--name <name>', 'the seller’s name')
    .option('--ship-from <address>', 'the ZIP code or address that orders are sent from; required')
    .option('--time-zone <zone>', 'the zone that decides which day a sale belongs to')
    // Nothing is asked; scripts write it.
    .addOption(new Option('-y, --yes', 'ask nothing').hideHelp())
    .action((folder: string, options: InitOptions) => initFolder(io, folder, options));

/** Examines the exports of a folder, and writes a configuration for them in which every assumption is marked. */
const initFolder = async (io: CommandIo, folder: string, options: InitOptions): Promise<void> => {
  if (options.timeZone !== undefined && !isTimeZone(options.timeZone))
    throw usageError(`"${options.timeZone}" is not a time zone`, `Write ${WANTED_ZONE}.`);
  const shipFrom = shipFromIn(folder, options);
  const file = options.output ?? join(folder, 'tieout.yaml');
  if (await exists(file)) throw existsAlready(file, 'configuration');
  if (!(await filesIn(folder).catch(() => undefined)))
    throw usageError(
      `${folder}: there is no such folder`,
      'Name the folder with the exports of your shops.',
      'E_INIT_NO_EXPORTS',
    );
  holdMemory();
  const survey = await surveyFolder(folder);
  const files = filesOf(survey);
  io.print(textTable(files.map((each) => [`  ${each.file}`, each.is])));
  if (!survey.recognised.some(({ found }) => isSalesProfile(found.profile)))
    throw usageError(
      `${folder}: ${files.length === 0 ? 'the folder has no files' : `no file is an export of sales (${files.map((each) => `${each.file}: ${each.is}`).join('; ')})`}`,
      'Put the order exports of your shops there, as CSV or XLSX; docs/channels.md says which to download.',
      'E_INIT_NO_EXPORTS',
    );
  const there = timeZoneOf(shipFrom.state);
  const timeZone = options.timeZone ?? there.zone;
  const name = options.name ?? (basename(resolve(folder)) || 'My shop');
  const isZoneSure = there.isSure || options.timeZone !== undefined;
  const place = relative(dirname(resolve(file)), resolve(folder));
  const seller = { entity: slugOf(name), name, timeZone, shipFrom, isZoneSure };
  const proposal = await propose(folder, survey, seller, (path) => join(place, path));
  await writeNewFile(file, proposal.text, 'configuration');
  io.print(initText(file, proposal, periodToClose(proposal, timeZone, io)));
};

type Proposal = Awaited<ReturnType<typeof propose>>;

/** Returns where orders are sent from. Exports do not show it, and a guess leads to wrong rates. @throws {TieoutError} E_USAGE */
const shipFromIn = (folder: string, { shipFrom }: InitOptions): ShipFrom => {
  if (shipFrom === undefined)
    throw usageError(
      'init needs the ZIP code that orders are sent from: no export shows it, and some states tax by it',
      `Write \`tieout init ${quoted(folder)} --ship-from ZIP\`, such as --ship-from 95814.`,
    );
  const read = readShipFrom(shipFrom);
  if (typeof read !== 'string') return read;
  throw usageError(
    read,
    'Write a ZIP code, such as --ship-from 95814, or an address with its state, "1201 K Street, Sacramento, CA 95814".',
  );
};

/** Returns the month of the last sale, but at most the last complete month. */
const periodToClose = ({ lastDay }: Proposal, timeZone: string, { clock }: CommandIo): string => {
  const today = zoneCalendar(timeZone).dateAt(clock.now());
  const before = addDays(`${today.slice(0, 7)}-01` as CalendarDate, -1);
  return (lastDay !== undefined && lastDay < before ? lastDay : before).slice(0, 7);
};

/** Tells what each file of the folder is. */
const filesOf = ({ recognised, certificates, ownProfiles, strange }: FolderSurvey) => [
  ...recognised.map(({ file, found: { profile } }) => ({
    file: file.name,
    is: `${profile.title}${noteOn(profile)}`,
  })),
  ...certificates.map((file) => ({ file, is: 'register of exemption certificates' })),
  ...[...ownProfiles].map(([id, file]) => ({ file, is: `source profile ${id}` })),
  ...strange.map(({ entry, what }) => ({ file: entry, is: what })),
];

const noteOn = (profile: Profile): string => {
  if (isSalesProfile(profile)) return '';
  return isCompanionProfile(profile) ? ' (dates the refunds)' : ` (no sales, left out). ${profile.advice}`;
};

/** Describes what was written, what to decide in it, and the next step. */
const initText = (file: string, { channels, states, decisions }: Proposal, period: string): string => {
  const total = (of: 'orders' | 'refunds'): number => channels.reduce((sum, channel) => sum + channel[of], 0);
  const config = resolve(file) === resolve('tieout.yaml') ? '' : ` --config ${quoted(file)}`;
  const lines = [
    '',
    `Wrote ${file}: ${channels.map(({ name }) => name).join(', ')} with ${shownNumber(total('orders'), 'order')} and ${shownNumber(total('refunds'), 'refund')}; registered in ${states || 'no state'}.`,
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

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'my-shop';
