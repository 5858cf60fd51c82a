import { join } from 'node:path';
import { configurationIn, type DecidedConfiguration } from '../configuration/load-configuration.ts';
import { Configuration } from '../configuration/schema.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import { NOTHING_DECIDED } from '../judge/decision.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { idsOf, isCompanionProfile, isRefundDatesProfile, isSalesProfile } from '../sales/load-profiles.ts';
import type { SalesProfile } from '../sales/profile.ts';
import {
  type ChannelFacts,
  channelFacts,
  type Proposal,
  type ProposedChannel,
  type ShipFrom,
  type StateFacts,
  statesOf,
} from './proposal.ts';
import {
  type FolderSurvey,
  filePatterns,
  type OwnProfile,
  problemOf,
  type RecognisedFile,
} from './survey-folder.ts';
import type { FailedTrial, Trial, TryExports } from './try-exports.ts';

export type ProposePorts = {
  readonly tryExports: TryExports;
  readonly shipFrom: ShipFrom;
  readonly timeZone: string;
};

type ReadChannel = {
  readonly formed: FormedChannel;
  readonly facts: ChannelFacts;
  /** Whether any of its files could be read. */
  readonly isRead: boolean;
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
  const failed: FailedTrial[] = [];
  const read: ReadChannel[] = [];
  for (const formed of channels) {
    const trials = await readChannel(folder, formed, ports, failed);
    read.push({ formed, facts: channelFacts(trials), isRead: trials.length > 0 });
  }
  if (!read.some(({ isRead }) => isRead)) throw noExports(folder, survey, failed);
  const { kept, leftOut } = oneKindOfEachShop(read);
  const states = statesOf(kept.map(({ facts }) => facts));
  const { shipFrom } = ports;
  return {
    shipFrom,
    ...proposeRegistrations(states, shipFrom.states[0] ?? ''),
    channels: kept.map((one) => proposedChannel(one, survey)),
    certificates: survey.certificates,
    open: openIn(kept),
    left: [
      ...leftOut,
      ...strayCompanions.map(
        ({ entry, found }) =>
          `${entry}: ${found.profile.title}; ${isRefundDatesProfile(found.profile) ? 'name it under `refundDates` of the channel whose refunds it dates' : 'it belongs beside the orders that it tells of'}`,
      ),
      ...failed.map(
        ({ name, error }) =>
          `${baseOf(name)} cannot be read: ${problemOf(error)}. ${error.nextStep.replace(/\.$/, '')}`,
      ),
      ...survey.strange.flatMap(({ entry, what, step }) =>
        step === undefined ? [] : `${entry} is not read: ${what}. ${step}`,
      ),
    ],
  };
};

const readChannel = async (
  folder: string,
  formed: FormedChannel,
  { tryExports, shipFrom, timeZone }: ProposePorts,
  failed: FailedTrial[],
): Promise<readonly Trial[]> => {
  const settings = trialConfiguration(formed, shipFrom, timeZone);
  const configuration = configurationIn(join(folder, 'tieout.yaml'), settings);
  const [channel] = configuration.channels;
  if (!channel) throw new DefectError('a trial has one channel');
  const entries = entriesOf([...formed.sources, ...formed.companions]);
  const trials = await tryExports({ configuration, channel }, entries);
  failed.push(...trials.filter((trial) => 'error' in trial));
  return trials.filter((trial): trial is Trial => !('error' in trial) && isOf(formed, trial));
};

/**
 * Whether a trial belongs to the channel. Trials of refund dates do, because refunds dated by a companion are reported
 * with it; exports of other channels in the same archive do not.
 */
const isOf = ({ profile }: FormedChannel, { detected }: Trial): boolean =>
  detected.profile.id === profile.id || detected.profile.capability === 'refund-dates';

/** A minimal configuration for reading files. */
const trialConfiguration = (
  { name, named }: FormedChannel,
  { zip, states: [state = ''] }: ShipFrom,
  timeZone: string,
): DecidedConfiguration => ({
  ...Configuration.parse({
    entity: 'trial',
    name: 'Trial',
    timeZone,
    shipFrom: { country: 'US', state, zip, city: '', street: '' },
    registrations: [{ state, since: '2000-01-01' }],
    channels: [{ name, profile: named, files: ['*'] }],
  }),
  decided: NOTHING_DECIDED,
});

/**
 * Keep one kind of export of each shop, since two kinds hold the same sales: the one that tells most of refunds, then the
 * one with the most records. A missing order is seen, a missing refund is only more tax. A person is told of the others.
 */
const oneKindOfEachShop = (read: readonly ReadChannel[]) => {
  const recordsIn = ({ facts: { orders, refunds } }: ReadChannel): number => orders + refunds;
  const toldBy = (channel: ReadChannel): number =>
    recordsIn(channel) === 0 ? -1 : ['nothing', 'amounts', 'days'].indexOf(refundsTold(channel.formed));
  const shops = [...Map.groupBy(read, ({ formed }) => formed.name).values()].map((kinds) =>
    kinds.sort((left, right) => toldBy(right) - toldBy(left) || recordsIn(right) - recordsIn(left)),
  );
  const leftOut = shops.flatMap(([best, ...others]) =>
    others.map(
      ({ formed, facts }) =>
        `${entriesOf(formed.sources).join(', ')}: ${formed.profile.title} with ${shownNumber(facts.orders, 'order')} and ${shownNumber(facts.refunds, 'refund')}; left out, because two kinds of export of one shop count its sales twice, and ${best?.formed.profile.title} says as much of refunds or more. Check that it has these sales`,
    ),
  );
  return { kept: shops.flatMap(([best]) => best ?? []), leftOut };
};

const openIn = (read: readonly ReadChannel[]): ReadonlyMap<string, number> => {
  const all = new Map<string, number>();
  for (const [code, count] of read.flatMap(({ facts }) => [...facts.open]))
    all.set(code, (all.get(code) ?? 0) + count);
  return all;
};

const proposedChannel = (
  { formed, facts }: ReadChannel,
  { recognised, strange, certificates }: FolderSurvey,
): ProposedChannel => {
  const all = [...entriesOf(recognised), ...strange.map(({ entry }) => entry), ...certificates];
  const [dating, others] = [true, false].map((isDating) =>
    formed.companions.filter(({ found }) => isRefundDatesProfile(found.profile) === isDating),
  );
  const files = filePatterns(entriesOf([...formed.sources, ...(others ?? [])]), all);
  const refundDates = filePatterns(entriesOf(dating ?? []), all);
  return {
    name: formed.name,
    title: formed.profile.title,
    profile: formed.named,
    isOwn: formed.named !== formed.profile.id,
    isMarketplace: formed.profile.map.marketplace === 'always',
    isWithoutRefunds: refundsTold(formed) === 'nothing',
    files: files.entries,
    refundDates: refundDates.entries,
    alone: [...files.alone, ...refundDates.alone],
    facts,
  };
};

const entriesOf = (files: readonly RecognisedFile[]): readonly string[] => [
  ...new Set(files.map(({ entry }) => entry)),
];

const baseOf = (name: string): string => name.replace(/^.*[\\/]/, '');

export const noExports = (
  folder: string,
  { recognised, strange }: FolderSurvey,
  failed: readonly FailedTrial[],
): TieoutError => {
  const others = [
    ...failed.map(({ name, error }) => `${baseOf(name)}: ${problemOf(error)}`),
    ...strange.map(({ entry, what }) => `${entry}: ${what}`),
    ...recognised
      .filter(({ file }) => !failed.some(({ name }) => name === file.name))
      .map(({ entry, found }) => `${entry}: ${found.profile.title}, which has no sales`),
  ];
  const more = others.length > NAMED_MAX ? [`and ${others.length - NAMED_MAX} more`] : [];
  const steps = [
    ...strange.flatMap(({ entry, step }) => (step === undefined ? [] : `${entry}: ${step}`)),
    ...recognised.flatMap(({ found: { profile } }) => ('advice' in profile ? profile.advice : [])),
    'Put the order exports of your shops there, as CSV or XLSX; docs/channels.md says which to download.',
  ];
  return new TieoutError({
    code: 'E_INIT_NO_EXPORTS',
    message: `${folder}: ${others.length === 0 ? 'the folder has no files' : `no file is an export of sales that can be read (${[...others.slice(0, NAMED_MAX), ...more].join('; ')})`}`,
    nextStep: steps[0] ?? '',
  });
};

const NAMED_MAX = 5;

type States = ReadonlyMap<string, StateFacts>;

/** Fewer than `FEW` taxed sales count only if they are at least one in `FEW_SHARE` of all taxed sales. */
const FEW = 3;
const FEW_SHARE = 50;

/**
 * Propose the states where at least half of the sales were taxed, unless these are a handful among many: tax on a few of
 * many is probably a mistake. The ship-from state is proposed, too, unless it has no sales tax. None is where the seller
 * has no sales of which the tax is his own. All other states with sales are the quiet ones.
 */
export const proposeRegistrations = (
  states: States,
  home: string,
): Pick<Proposal, 'registrations' | 'quiet'> => {
  if (states.size === 0) return { registrations: [], quiet: [] };
  const allTaxed = [...states.values()].reduce((total, { taxed }) => total + taxed, 0);
  const isCollecting = ({ taxed, sales }: StateFacts): boolean =>
    taxed > 0 && taxed * 2 >= sales && (taxed >= FEW || taxed * FEW_SHARE >= allTaxed);
  const hasTax = loadFilingLaw().nexus.some(({ state }) => state === home);
  const isProposed = (state: string, facts: StateFacts | undefined): boolean =>
    (state === home && hasTax) || (facts !== undefined && isCollecting(facts));
  const since = monthOf([...states.values()].flatMap(({ firstTaxed }) => firstTaxed ?? []).sort()[0]);
  const rows = [...new Set([...states.keys(), home])]
    .filter((state) => state !== '')
    .sort()
    .map((state) => {
      const facts = states.get(state);
      return { state, since: facts?.firstTaxed ? monthOf(facts.firstTaxed) : since, facts };
    });
  return {
    registrations: rows.filter(({ state, facts }) => isProposed(state, facts)),
    quiet: rows.filter(({ state, facts }) => facts && !isProposed(state, facts)),
  };
};

/** The first day of the month of a date: the duty to collect hardly ever began on the first day in an export. */
const monthOf = (day: CalendarDate | undefined): string =>
  day === undefined ? '2000-01-01' : `${day.slice(0, 7)}-01`;

/** The files of one channel: exports of one profile, and their companions. */
export type FormedChannel = {
  /** The shop's name; other kinds of export from the same shop share it. */
  readonly name: string;
  readonly profile: SalesProfile;
  /** Value of `profile` in the configuration: the profile's id, or its file. */
  readonly named: string;
  readonly sources: readonly RecognisedFile[];
  readonly companions: readonly RecognisedFile[];
};

export type FormedChannels = {
  readonly channels: readonly FormedChannel[];
  /** Companions that match several channels, or none. */
  readonly strayCompanions: readonly RecognisedFile[];
};

/** Form one channel from the exports of each profile. */
export const formChannels = (
  files: readonly RecognisedFile[],
  ownProfiles: readonly OwnProfile[],
): FormedChannels => {
  const sales = files.flatMap((file) =>
    isSalesProfile(file.found.profile) ? [{ file, profile: file.found.profile }] : [],
  );
  const companions = files.filter(({ found }) => isCompanionProfile(found.profile));
  const byProfile = Map.groupBy(sales, ({ profile }) => profile.id);
  const groups = [...byProfile.values()];
  const present = new Set(byProfile.keys());
  const shops = groups.filter(([first]) => first?.profile.map.marketplace !== 'always').length;
  const channels = groups.flatMap((group): FormedChannel[] => {
    const [first] = group;
    if (!first) return [];
    const { profile } = first;
    const isOurs = ({ found }: RecognisedFile): boolean => {
      if (!isCompanionProfile(found.profile)) return false;
      const { companionOf } = found.profile;
      return (
        companionOf?.some((id) => idsOf(profile, present).includes(id)) ??
        (shops === 1 && profile.map.marketplace !== 'always')
      );
    };
    return [
      {
        name: shopOf(profile.id, ownProfiles),
        profile,
        named: ownProfiles.find(({ id }) => id === profile.id)?.entry ?? profile.id,
        sources: group.map(({ file }) => file),
        companions: companions.filter(isOurs),
      },
    ];
  });
  const taken = new Set(channels.flatMap((channel) => channel.companions));
  return { channels, strayCompanions: companions.filter((file) => !taken.has(file)) };
};

/** The name of the shop, from the profile's id: two kinds of export from one shop share a name. */
const shopOf = (id: string, ownProfiles: readonly OwnProfile[]): string => {
  const words = id.split('.');
  return (ownProfiles.some((own) => own.id === id) ? words.at(-1) : words[0]) ?? id;
};

/** What the exports of a channel tell of refunds: their days, only their amounts, or nothing. */
export const refundsTold = ({ profile, companions }: FormedChannel): 'days' | 'amounts' | 'nothing' => {
  const isDated =
    profile.packedRefunds !== undefined ||
    profile.rules.some(({ treat, as }) => treat === 'refund' || as === 'refund') ||
    companions.some(({ found }) => isRefundDatesProfile(found.profile));
  if (isDated) return 'days';
  const isSummed = profile.map.refunded !== undefined || profile.rules.some((rule) => rule.fullyRefunded);
  return isSummed ? 'amounts' : 'nothing';
};
