import { access, constants } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gapCounter, placesText } from '../ask/rate-gaps.ts';
import { contentFolder } from '../close/configuration/content-folder.ts';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { lockPlaceOf } from '../core/locked.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { damageOf } from '../database/with-database.ts';
import { type CalendarDate, daysFrom, formatInstant } from '../kernel/calendar.ts';
import { ExitCode } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { REGISTER, readLocks } from '../periods/locks.ts';
import { runsOf } from '../periods/runs.ts';
import { exists } from '../runtime/publish-folder.ts';
import type { StateStatus } from '../service/content/content-status.ts';
import {
  balancesOf,
  type Diagnosis,
  decisionsRead,
  doubtful,
  type Examination,
  examined,
  exportsOf,
  ill,
  registersOf,
  type TriedExports,
  triedExports,
  well,
} from './examine-exports.ts';
import type { CommandIo } from './io.ts';
import type { EntityOptions } from './options.ts';

export type DoctorOptions = EntityOptions & {
  readonly content?: string;
  readonly output?: string;
};

/** Lists the examinations of everything a close of an entity needs, in the order in which a close needs it. */
export const examinations = (
  io: CommandIo,
  configuration: LoadedConfiguration,
  options: DoctorOptions,
): readonly Examination[] => {
  const tried = triedExports(io, configuration);
  return [
    async () => [
      well(
        'configuration',
        `${configuration.file}: ${shownNumber(configuration.registrations.length, 'registration')}, ${shownNumber(configuration.channels.length, 'channel')}`,
      ),
    ],
    async () => decisionsRead(configuration),
    () => examined('clock', () => clock(io, configuration)),
    () => examined('state', () => state(configuration)),
    () => examined('locks', () => locks(configuration, options)),
    ...(configuration.service.url === undefined
      ? [
          () => examined('ledger', () => ledger(io, configuration)),
          () => examined('content', () => content(io, configuration, options, tried)),
        ]
      : [() => examined('service', () => service(io, configuration))]),
    () => examined('output', () => output(configuration, options)),
    ...registersOf(configuration),
    ...balancesOf(configuration),
    ...configuration.channels.map(
      (channel) => () => examined('exports', () => exportsOf(configuration, channel, tried)),
    ),
  ];
};

const clock = async (io: CommandIo, configuration: LoadedConfiguration): Promise<readonly Diagnosis[]> => {
  const now = io.clock.now();
  const today = zoneCalendar(configuration.timeZone).dateAt(now);
  const said = `${formatInstant(now).slice(0, 16).replace('T', ' ')} UTC; ${today} in ${configuration.timeZone}`;
  const latest = await latestRun(configuration);
  if (latest === undefined || latest <= now) return [well('clock', said)];
  const step = 'Set the clock of this machine: it decides nothing about periods, but dates locks and runs.';
  return [ill('clock', `${said}: before the last run`, step, ExitCode.configuration)];
};

const latestRun = async (configuration: LoadedConfiguration): Promise<number | undefined> => {
  const runs = await runsOf(stateOf(configuration), configuration.entity);
  return runs.length === 0 ? undefined : Math.max(...runs.map(({ started }) => started));
};

/** The folder of what may be removed at any time but for the records. */
const stateOf = ({ resolvePath }: LoadedConfiguration): string => resolvePath('.tieout');

const state = async (configuration: LoadedConfiguration): Promise<readonly Diagnosis[]> => {
  const folder = stateOf(configuration);
  const unwritable = await firstUnwritable(join(folder, 'run'));
  if (unwritable !== undefined)
    return [ill('state', `${unwritable} cannot be written`, `${GIVE}.`, ExitCode.configuration)];
  if (!(await exists(folder)))
    return [well('state', `${folder} does not exist yet; the first close creates it`)];
  const runs = await runsOf(folder, configuration.entity);
  const periods = new Set(runs.map(({ period }) => period)).size;
  const place = well('state', `${folder}, ${shownNumber(periods, 'period')} so far`);
  if (!(await isRunLocked({ place: join(folder, 'run') }))) return [place];
  const step = 'Wait until it has finished: until then a close ends with E_RUN_LOCKED.';
  return [place, ill('run', `another run is working on ${folder}`, step, ExitCode.locked)];
};

const GIVE = 'Give this user the right to write there';

/** Returns the path of a SQLite database that is a file. */
const sqliteFile = (url: string): string | undefined =>
  url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? url.slice('sqlite:'.length) : undefined;

const ledger = async (io: CommandIo, configuration: LoadedConfiguration): Promise<readonly Diagnosis[]> => {
  const url = configuration.resolveUrl(configuration.databases.ledger);
  const file = sqliteFile(url);
  if (file === undefined || (await exists(file))) return [well('ledger', await ledgerPlace(io, url))];
  const unwritable = await firstUnwritable(file);
  if (unwritable === undefined)
    return [well('ledger', `${file} does not exist yet; the first close creates it`)];
  const said = `${file} cannot be made: ${unwritable} cannot be written`;
  return [ill('ledger', said, `${GIVE}, or name another database.`, ExitCode.configuration)];
};

const ledgerPlace = (io: CommandIo, url: string): Promise<string> =>
  io.withLedger(url, async (ledger) => {
    const accounts = (await ledger.accounts.list()).length;
    const place = sqliteFile(url);
    if (place !== undefined) refuseDamage(place);
    return `${place ?? 'on a server'}, ${shownNumber(accounts, 'account')}`;
  });

/**
 * Checks while the file is open, because a reader on its own would leave its log file behind.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED
 */
const refuseDamage = (place: string): void => {
  const damage = damageOf({ engine: 'sqlite', place }, 'quick_check');
  if (damage) throw damage;
};

/** Checks the register of locks against the published folders, as a close does before it starts. */
const locks = async (
  configuration: LoadedConfiguration,
  { output: named }: DoctorOptions,
): Promise<readonly Diagnosis[]> => {
  const place = lockPlaceOf({ configuration, output: outputFolder(configuration, named) });
  const { lines } = await readLocks(place);
  return lines.length === 0
    ? []
    : [well('locks', `${REGISTER} has what is locked and signed in ${place.output}`)];
};

/** Older content may have missed a change of rates: most states change them quarterly. */
const CONTENT_AGE_DAYS_MAX = 200;

const content = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  { content: folder }: DoctorOptions,
  tried: TriedExports,
): Promise<readonly Diagnosis[]> => {
  const { contentStatus } = await import('../service/content/content-status.ts');
  const loaded = await io.loadContent(contentFolder(configuration, folder));
  const today = formatInstant(io.clock.now()).slice(0, 10) as CalendarDate;
  const { name, version, date, states } = contentStatus(loaded, today);
  const own = new Set<string>(configuration.registrations.map(({ state }) => state));
  const bare = states.filter(({ state, coverage }) => own.has(state) && coverage === 'none');
  const said = `${name} ${version} of ${date}`;
  if (bare.length > 0) {
    const names = bare.map(({ state }) => state).join(', ');
    const step = 'Import the official rate files of these states: `tieout content import`.';
    return [ill('content', `${said}: nothing is known of ${names}`, step, ExitCode.configuration)];
  }
  const rates = states
    .filter(({ state }) => own.has(state))
    .map((state) => (state.isStale ? doubtful : well)('rates', ratesText(state)));
  const days = daysFrom(date, today);
  if (days > CONTENT_AGE_DAYS_MAX) {
    const step = 'Use a newer version: law may have changed since. An import brings rates only.';
    return [ill('content', `${said} is ${days} days old`, step, ExitCode.configuration), ...rates];
  }
  const partly = states.filter(({ state, coverage }) => own.has(state) && coverage !== 'complete');
  if (partly.length === 0) {
    const covered = own.size === 1 ? 'its state is' : `all ${own.size} states are`;
    return [well('content', `${said}, ${covered} covered`), ...rates];
  }
  const names = partly.map(({ state }) => state).join(', ');
  const incomplete = `${said}; local rates of ${names} are not complete`;
  return [well('content', `${incomplete}${await missingPlaces(io, configuration, folder, tried)}`), ...rates];
};

/** Describes how long the rates of a state are valid, which of its law is uncertain, and where to get newer rates. */
const ratesText = (status: StateStatus): string =>
  [
    `${status.state} ${localRatesText(status)}`,
    `${status.doubtful.length === 0 ? 'none' : status.doubtful.length} of ${status.categories} categories doubtful`,
    ...(status.newerRates === '' ? [] : [`newer rates: ${status.newerRates}`]),
  ].join('; ');

const localRatesText = ({ coverage, ratesUntil, isStale }: StateStatus): string => {
  if (ratesUntil === '')
    return coverage === 'complete' ? 'has no local sales tax' : 'has no local rates here';
  return isStale ? `has local rates only to ${ratesUntil}` : `has local rates to ${ratesUntil}`;
};

const service = async (io: CommandIo, configuration: LoadedConfiguration): Promise<readonly Diagnosis[]> => {
  const { url } = configuration.service;
  // An examination should not wait: it fails at once where a close would retry.
  const once = { ...configuration, service: { ...configuration.service, retries: 0, timeoutSeconds: 10 } };
  return io.withService(once, { url, content: undefined }, async (built) => {
    const missing = built.nexusMissing ?? [];
    const by = built.servedContent === undefined ? '' : ` by the tax content ${built.servedContent}`;
    if (missing.length === 0)
      return [well('service', `${url} answers${by}, and has nexus in every state of the configuration`)];
    const names = missing.join(', ');
    const step = 'Add these states to the account: the service calculates no tax where it knows no nexus.';
    return [
      ill('service', `${url} answers${by}, but has no nexus in ${names}`, step, ExitCode.configuration),
    ];
  });
};

const outputFolder = (configuration: LoadedConfiguration, named: string | undefined): string =>
  named === undefined ? configuration.resolvePath(configuration.output) : resolve(named);

const output = async (
  configuration: LoadedConfiguration,
  { output: named }: DoctorOptions,
): Promise<readonly Diagnosis[]> => {
  const folder = outputFolder(configuration, named);
  const place = await firstUnwritable(`${folder}/${configuration.entity}/.`);
  if (place === undefined) return [well('output', folder)];
  const step = `${GIVE}, or name another folder.`;
  return [ill('output', `${place} cannot be written`, step, ExitCode.configuration)];
};

/** Returns the nearest existing folder above a path if it is not writable; otherwise `undefined`. */
const firstUnwritable = async (path: string): Promise<string | undefined> => {
  let place = dirname(path);
  while (!(await exists(place)) && dirname(place) !== place) place = dirname(place);
  return (await isUsable(place)) ? undefined : place;
};

const isUsable = (place: string): Promise<boolean> =>
  access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** Describes the places in the exports whose rate may be missing; unreadable exports are reported later. */
const missingPlaces = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  folder: string | undefined,
  tried: TriedExports,
): Promise<string> =>
  io.withService(configuration, { url: undefined, content: folder }, async ({ service }) => {
    const counter = gapCounter({ configuration, service });
    for (const channel of configuration.channels) {
      const trials = await tried(channel);
      if (trials === undefined) return ': `tieout close PERIOD --plan` names the places of its sales';
      for (const trial of trials) if ('sales' in trial) for (const sale of trial.sales) counter.add(sale);
    }
    const places = counter.places();
    return places.length === 0
      ? '; no sale in the exports is affected'
      : `; one may be missing in ${placesText(places)}`;
  });
