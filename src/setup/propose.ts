import { join } from 'node:path';
import { configurationIn, type DecidedConfiguration } from '../close/configuration/load-configuration.ts';
import { Configuration } from '../close/configuration/schema.ts';
import { NOTHING_DECIDED } from '../close/decisions/decision.ts';
import { draftCommand } from '../close/sales/draft/draft-command.ts';
import { isRefundDatesProfile } from '../close/sales/shipped-profiles.ts';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { type ChannelFacts, channelFacts, statesOf } from './channel-facts.ts';
import { filePatterns } from './file-patterns.ts';
import { type FormedChannel, formChannels, refundsTold } from './form-channels.ts';
import type { Proposal, ProposedChannel } from './proposal.ts';
import { proposeRegistrations } from './propose-registrations.ts';
import type { ShipFrom } from './read-ship-from.ts';
import { type FolderSurvey, type RecognisedFile, type StrangeFile, saidOf } from './survey-folder.ts';
import type { FailedTrial, Trial, TryExports } from './trial.ts';

export type ProposePorts = {
  readonly tryExports: TryExports;
  readonly shipFrom: ShipFrom;
  readonly timeZone: string;
  /** Called with a description of each channel before its files are read. */
  readonly reading: (what: string) => void;
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
    ports.reading(`${formed.profile.title}: ${entriesOf(formed.sources).join(', ')}`);
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
    ...failed.map(({ name, error }) => ({ entry: baseOf(name), said: saidOf(error) })),
    ...strange,
    ...recognised
      .filter(({ file }) => !failed.some(({ name }) => name === file.name))
      .map(({ entry, found }) => ({ entry, said: `${found.profile.title}, which has no sales` })),
  ];
  const shown = others.slice(0, NAMED_MAX).map(({ entry, said }) => `${entry}: ${said}`);
  const more = others.length > NAMED_MAX ? [`and ${others.length - NAMED_MAX} more`] : [];
  return new TieoutError({
    code: 'E_INIT_NO_EXPORTS',
    message: `${folder}: ${others.length === 0 ? 'the folder has no files' : `no file is an export of sales that can be read (${[...shown, ...more].join('; ')})`}`,
    nextStep: stepWithout(folder, recognised, strange),
  });
};

const stepWithout = (
  folder: string,
  recognised: readonly RecognisedFile[],
  strange: readonly StrangeFile[],
): string => {
  const wrong = strange.find(({ what }) => what === 'wrong-profile');
  if (wrong)
    return `Correct the profile ${join(folder, wrong.entry)}, and run init again; docs/source-profile-keys.md explains every key.`;
  const unknown = strange.find(({ what }) => what === 'unknown');
  if (unknown)
    return `Draft a profile for the unknown export: \`${draftCommand(join(folder, unknown.entry))}\`. Answer each DECIDE in it, then run init again.`;
  const [advice] = recognised.flatMap(({ found: { profile } }) =>
    'advice' in profile ? profile.advice : [],
  );
  return (
    advice ??
    'Put the order exports of your shops there, as CSV or XLSX; docs/channels.md says which to download.'
  );
};

/** The next steps for files that are to be corrected or saved otherwise; all others are to be repaired or described. */
const STEPS: Partial<Record<StrangeFile['what'], string>> = {
  'wrong-profile': 'Correct it, and run init again',
  'other-spreadsheet': 'If it has sales, save it as XLSX or CSV',
};

const NAMED_MAX = 5;
