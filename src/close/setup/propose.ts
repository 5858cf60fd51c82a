import { join } from 'node:path';
import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { DefectError, TieoutError } from '../../kernel/errors.ts';
import { usRegionsOfZip } from '../../kernel/us-regions.ts';
import { configurationIn, type DecidedConfiguration } from '../configuration/load-configuration.ts';
import { Configuration } from '../configuration/schema.ts';
import { NOTHING_DECIDED } from '../decisions/decision.ts';
import { isInForce } from '../filing/law/law-row.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { draftCommand } from '../sales/draft/draft-command.ts';
import { knownProfiles } from '../sales/load-profiles.ts';
import { isRefundDatesProfile } from '../sales/shipped-profiles.ts';
import { type FailedTrial, type Trial, type TrialPorts, tryExports } from '../stages/extract/try-exports.ts';
import { channelFacts, placesIn, statesOf } from './channel-facts.ts';
import { type FormedChannel, formChannels } from './form-channels.ts';
import { guessCategories } from './guess-categories.ts';
import { guessTimeZone, usualTimeZone } from './guess-time-zone.ts';
import type { Proposal, ProposedChannel } from './proposal.ts';
import { quietStates, registrationsOf, type States } from './propose-registrations.ts';
import type { SaidShipFrom } from './read-ship-from.ts';
import { type FolderSurvey, type RecognisedFile, type StrangeFile, saidOf } from './survey-folder.ts';
import { type ReadChannel, sharedRecords, tellsNoRefunds, withoutDoubles } from './without-doubles.ts';

export type ProposePorts = Pick<TrialPorts, 'withScratch'> & {
  /** The time zone of this machine. */
  readonly machineZone: string;
  /** Asks where orders are sent from. Called only if there is something to propose. */
  readonly shipFrom: () => Promise<SaidShipFrom>;
  /** Called with a description of each channel before its files are read. */
  readonly reading: (what: string) => void;
};

/**
 * Propose a configuration for the exports of a folder. Writes nothing.
 *
 * @throws {TieoutError} E_INIT_NO_EXPORTS when no sale can be read from any of its files
 */
export const propose = async (
  folder: string,
  survey: FolderSurvey,
  ports: ProposePorts,
): Promise<Proposal> => {
  const { channels, strayCompanions } = formChannels(survey.recognised, survey.ownProfiles);
  const zone = await guessTimeZone(survey.recognised);
  const timeZone = zone ?? usualTimeZone(ports.machineZone);
  const failed: FailedTrial[] = [];
  const read: ReadChannel[] = [];
  for (const formed of channels) {
    ports.reading(`${formed.profile.title}: ${formed.sources.map(({ entry }) => entry).join(', ')}`);
    read.push(await readChannel(folder, formed, timeZone, ports, failed));
  }
  if (read.every(({ trials }) => trials.length === 0)) throw noExports(folder, survey, failed);
  const { kept, doubles } = withoutDoubles(read);
  const states = statesOf(kept.map(({ facts }) => facts));
  const { zip, state, city, street } = await ports.shipFrom();
  const home = state ?? stateOf(zip, states);
  const open = openOf(kept);
  return {
    timeZone,
    isZoneProven: zone !== undefined,
    shipFrom: { state: home, zip, city, street },
    registrations: registrationsOf(states, home),
    quiet: quietStates(states, home),
    fees: loadFilingLaw().fees.filter(
      (rule) => rule.amount === undefined && isInForce(rule, lastDayOf(kept)),
    ),
    channels: await Promise.all(kept.map((one) => proposedChannel(one, survey))),
    categories: guessCategories(kept.flatMap(({ trials }) => trials.flatMap(({ sales }) => sales))),
    certificates: survey.certificates,
    open,
    undividedRefunds: open.get('refund-not-split') ?? 0,
    left: [
      ...doubles,
      ...sharedRecords(kept),
      ...strayCompanions.map(
        ({ entry, found }) =>
          `${entry}: ${found.profile.title}; ${isRefundDatesProfile(found.profile) ? 'name it under `refundDates` of the channel whose refunds it dates' : 'it belongs beside the orders that it tells of'}`,
      ),
      ...failed.map(
        ({ name, error }) =>
          `${baseOf(name)} cannot be read: ${saidOf(error)}. ${error.nextStep.replace(/\.$/, '')}`,
      ),
      ...survey.strange
        .filter(({ what }) => what !== 'no-table')
        .map(
          ({ entry, said, what }) =>
            `${entry} is not read: ${said}. ${STEPS[what] ?? 'If it holds sales, repair it or draft a profile for it'}`,
        ),
    ],
  };
};

const readChannel = async (
  folder: string,
  formed: FormedChannel,
  timeZone: string,
  { withScratch }: ProposePorts,
  failed: FailedTrial[],
): Promise<ReadChannel> => {
  const resolvePath = (name: string): string => join(folder, name);
  const configuration = configurationIn(join(folder, 'tieout.yaml'), trialConfiguration(formed, timeZone));
  const [channel] = configuration.channels;
  if (!channel) throw new DefectError('a trial has one channel');
  const profiles = knownProfiles(channel.profile, resolvePath);
  const entries = [...formed.sources, ...formed.companions].map(({ entry }) => entry);
  const trials = await tryExports({ withScratch, configuration, channel, profiles }, [...new Set(entries)]);
  const done: Trial[] = [];
  for (const trial of trials) {
    if ('error' in trial) failed.push(trial);
    else if (isOf(formed, trial)) done.push(trial);
  }
  return { formed, facts: channelFacts(done), trials: done };
};

/**
 * Whether a trial belongs to the channel. Trials of refund dates do, because refunds dated by a companion are reported
 * with it; exports of other channels in the same archive do not.
 */
const isOf = ({ profile }: FormedChannel, { detected }: Trial): boolean =>
  detected.profile.id === profile.id || detected.profile.capability === 'refund-dates';

/** A minimal configuration for reading files: the seller's location is not known yet. */
const trialConfiguration = ({ name, named }: FormedChannel, timeZone: string): DecidedConfiguration => ({
  ...Configuration.parse({
    entity: 'trial',
    name: 'Trial',
    timeZone,
    shipFrom: { country: 'US', state: 'DE', zip: '19901', city: '', street: '' },
    registrations: [{ state: 'DE', since: '2000-01-01' }],
    channels: [{ name, profile: named, files: ['*'] }],
  }),
  shipFrom: { country: 'US', state: '', zip: '', city: '', street: '' },
  decided: NOTHING_DECIDED,
});

const lastDayOf = (read: readonly ReadChannel[]): CalendarDate =>
  read
    .flatMap(({ facts }) => facts.last ?? [])
    .sort()
    .at(-1) ?? calendarDate('2000-01-01');

/** The state of a ZIP code. If several states share its prefix, the one with the most taxed sales. */
const stateOf = (zip: string, states: States): string => {
  const taxedIn = (state: string): number => states.get(state)?.taxed ?? 0;
  const [best = ''] = usRegionsOfZip(zip).toSorted((left, right) => taxedIn(right) - taxedIn(left));
  return best;
};

const openOf = (read: readonly ReadChannel[]): ReadonlyMap<string, number> => {
  const all = new Map<string, number>();
  for (const { facts } of read)
    for (const [code, count] of facts.open) all.set(code, (all.get(code) ?? 0) + count);
  return all;
};

const proposedChannel = async (
  { formed, facts }: ReadChannel,
  { recognised, strange, certificates }: FolderSurvey,
): Promise<ProposedChannel> => {
  const all = [
    ...recognised.map(({ entry }) => entry),
    ...strange.map(({ entry }) => entry),
    ...certificates,
  ];
  const patterns = (files: readonly RecognisedFile[]) =>
    filePatterns([...new Set(files.map(({ entry }) => entry))], all);
  return {
    name: formed.name,
    title: formed.profile.title,
    profile: formed.named,
    isOwn: formed.named !== formed.profile.id,
    isMarketplace: formed.profile.map.marketplace === 'always',
    isWithoutRefunds: tellsNoRefunds(formed),
    files: patterns([...formed.sources, ...formed.companions.filter((one) => !datesRefunds(one))]),
    refundDates: patterns(formed.companions.filter(datesRefunds)),
    places: await placesIn(formed.sources),
    facts,
  };
};

const datesRefunds = ({ found }: RecognisedFile): boolean => isRefundDatesProfile(found.profile);

const baseOf = (name: string): string => name.replace(/^.*[\\/]/, '');

const noExports = (
  folder: string,
  { recognised, strange }: FolderSurvey,
  failed: readonly FailedTrial[],
): TieoutError => {
  const others = [
    ...failed.map(({ name, error }) => ({ entry: baseOf(name), said: saidOf(error) })),
    ...strange,
    ...recognised
      .filter(({ file }) => !failed.some(({ name }) => name === file.name))
      .map(({ entry, found }) => ({ entry, said: `${found.profile.title}, which has no sales` })),
  ];
  const shown = others.slice(0, NAMED_MAX).map(({ entry, said }) => `${entry}: ${said}`);
  const more = others.length > NAMED_MAX ? [`and ${others.length - NAMED_MAX} more`] : [];
  const [wrong, unknown] = (['wrong-profile', 'unknown'] as const).map((kind) =>
    strange.find(({ what }) => what === kind),
  );
  const advised = recognised.find(({ found }) => 'advice' in found.profile);
  return new TieoutError({
    code: 'E_INIT_NO_EXPORTS',
    recovery: 'fix-input',
    message: `${folder}: ${others.length === 0 ? 'the folder has no files' : `no file is an export of sales that can be read (${[...shown, ...more].join('; ')})`}`,
    nextStep: wrong
      ? `Correct the profile ${join(folder, wrong.entry)}, and run init again; docs/source-profile-keys.md explains every key.`
      : unknown
        ? `Draft a profile for the unknown export: \`${draftCommand(join(folder, unknown.entry))}\`. Answer each DECIDE in it, then run init again.`
        : advised && 'advice' in advised.found.profile
          ? advised.found.profile.advice
          : 'Put the order exports of your shops there, as CSV or XLSX; docs/channels.md says which to download.',
  });
};

/** The next steps for files that are to be corrected or saved otherwise; all others are to be repaired or described. */
const STEPS: Partial<Record<StrangeFile['what'], string>> = {
  'wrong-profile': 'Correct it, and run init again',
  'other-spreadsheet': 'If it has sales, save it as XLSX or CSV',
};

const NAMED_MAX = 5;

/**
 * File patterns that replace the numbers and dates in names, so that next month's export is read as well. A pattern is
 * used only if it matches no other file in the folder; otherwise the files are listed by name.
 *
 * @param entries the files of one list
 * @param all every file in the folder
 */
const filePatterns = (entries: readonly string[], all: readonly string[]): readonly string[] => {
  const patterns = [...new Set(entries.map(patternOf))];
  const mine = new Set(entries);
  const isOurs = (pattern: string): boolean => all.every((name) => mine.has(name) || !fits(pattern, name));
  const used = patterns.flatMap((pattern) =>
    isOurs(pattern) ? [pattern] : entries.filter((entry) => patternOf(entry) === pattern),
  );
  // A pattern that matches the text of another one matches all its files.
  return used.filter((one) => !used.some((other) => other !== one && fits(other, one)));
};

const patternOf = (name: string): string => {
  if (/[*?[\]{}()!]/.test(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const open = stem
    .replace(/\d+(?:[-_. ]*(?:\d+|to|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?![a-z]))*/gi, '*')
    .replace(/\*[-_ .*]*\*/g, '*');
  return `${open.includes('*') ? open : `${open}*`}${ending}`;
};

const fits = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  ).test(name);
