import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { gapCounter, placesText } from '../ask/rate-gaps.ts';
import {
  chooseEach,
  contentFolder,
  type LoadedConfiguration,
  outputOf,
} from '../close/configuration/load-configuration.ts';
import type { InputFile } from '../close/figures/period-report.ts';
import { expandFiles } from '../close/sales/survey-file.ts';
import { lockPlaceOf } from '../core/locked.ts';
import { damageOf } from '../database/connect.ts';
import { isRunLocked } from '../database/run-lock.ts';
import { daysFrom, utcDateOf } from '../kernel/calendar.ts';
import type { TieoutError } from '../kernel/errors.ts';
import { designedError, ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import type { Severity } from '../kernel/finding.ts';
import { shownNumber } from '../kernel/text.ts';
import { REGISTER, readLocks } from '../periods/locks.ts';
import { runsOf } from '../periods/runs.ts';
import { readExports } from '../read/read-exports.ts';
import type { Exports } from '../read/shapes.ts';
import { readLedger, readRegister } from '../read/source-file.ts';
import { exists } from '../runtime/publish-folder.ts';
import type { StateStatus } from '../service/content/content-status.ts';
import type { CommandIo, Paint } from './io.ts';
import { type EntityOptions, withEntities } from './options.ts';

type Options = EntityOptions & { readonly content?: string; readonly output?: string };

/** Builds `tieout doctor`: checks what a close needs, without paid calls and without sending or writing anything. */
export const doctorCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('doctor'))
    .option('--content <folder>', 'use this tax content folder instead of the built-in one')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .action(async (options: Options) => {
      const examined: Examined[] = [];
      for (const configuration of await chooseEach(options.config, options.entity))
        examined.push({
          entity: configuration.entity,
          diagnoses: await examineAll({ io, configuration, options }),
        });
      const all = examined.flatMap(({ diagnoses }) => diagnoses);
      const code = worstOf(all.map(({ exitCode }) => exitCode));
      io.print(
        options.json
          ? `${JSON.stringify(objectOf(examined, code), null, 2)}\n`
          : textOf(examined, all, code, io.paint),
      );
      exit(code);
    });

type Examined = { readonly entity: string; readonly diagnoses: readonly Diagnosis[] };

/** The result of one examination; with a next step only if there is a problem. */
type Diagnosis = {
  readonly what: string;
  readonly exitCode: ExitCode;
  readonly said: string;
  readonly nextStep?: string;
  /** A close works without it, but its figures may be less accurate. */
  readonly isWarning?: true;
};

const well = (what: string, said: string): Diagnosis => ({ what, exitCode: ExitCode.clean, said });

const ill = (what: string, said: string, nextStep: string, exitCode: ExitCode): Diagnosis => ({
  ...{ what, exitCode, said, nextStep },
});

const doubtful = (what: string, said: string): Diagnosis => ({ ...well(what, said), isWarning: true });

const illOf = (what: string, error: TieoutError): Diagnosis =>
  ill(what, `${error.code}: ${error.message.replace(/\.$/, '')}`, error.nextStep, exitCodeOf(error));

/** An entity under examination. */
type Patient = {
  readonly io: CommandIo;
  readonly configuration: LoadedConfiguration;
  readonly options: Options;
};

type Examination = (patient: Patient) => Promise<readonly Diagnosis[]>;

/** Examines everything that a close of an entity needs, in the order in which a close needs it. */
const examineAll = async (patient: Patient): Promise<readonly Diagnosis[]> => {
  const { registrations, channels, file, service } = patient.configuration;
  const all: Diagnosis[] = [
    well(
      'configuration',
      `${file}: ${shownNumber(registrations.length, 'registration')}, ${shownNumber(channels.length, 'channel')}`,
    ),
  ];
  const examinations: Readonly<Record<string, Examination>> = {
    ...{ decisions, state, locks },
    ...(service.url === undefined ? { ledger, content } : { service: answering }),
    ...{ output, certificates, balances, exports: exportsRead },
  };
  for (const [what, examine] of Object.entries(examinations))
    try {
      all.push(...(await examine(patient)));
    } catch (error) {
      const designed = designedError(error);
      if (!designed || designed.recovery === 'defect') throw error;
      all.push(illOf(what, designed));
    }
  return all;
};

const decisions: Examination = async ({ configuration: { decisions: files, decided, undecided } }) => {
  if (undecided) return [illOf('decisions', undecided)];
  const count = shownNumber(decided.decisions.length, 'decision');
  return files.length === 0 ? [] : [well('decisions', `${files.join(', ')}: ${count}`)];
};

const state: Examination = async ({ configuration }) => {
  const folder = configuration.resolvePath('.tieout');
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

/** Checks the register of locks against the published folders, as a close does before it starts. */
const locks: Examination = async ({ configuration, options }) => {
  const place = lockPlaceOf({ configuration, output: outputOf(configuration, options.output) });
  const { lines } = await readLocks(place);
  return lines.length === 0
    ? []
    : [well('locks', `${REGISTER} has what is locked and signed in ${place.output}`)];
};

const ledger: Examination = async ({ io, configuration: { resolveUrl, databases } }) => {
  const url = resolveUrl(databases.ledger);
  const file = url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? url.slice('sqlite:'.length) : '';
  if (file !== '' && !(await exists(file))) {
    const unwritable = await firstUnwritable(file);
    if (unwritable === undefined)
      return [well('ledger', `${file} does not exist yet; the first close creates it`)];
    const said = `${file} cannot be made: ${unwritable} cannot be written`;
    return [ill('ledger', said, `${GIVE}, or name another database.`, ExitCode.configuration)];
  }
  const accounts = await io.withLedger(url, async (opened) => {
    const count = (await opened.accounts.list()).length;
    // While the file is open: a reader on its own would leave its log file behind.
    const damage = file === '' ? undefined : damageOf({ engine: 'sqlite', place: file }, 'quick_check');
    if (damage) throw damage;
    return shownNumber(count, 'account');
  });
  return [well('ledger', `${file || 'on a server'}, ${accounts}`)];
};

/** Older content may have missed a change of rates: most states change them quarterly. */
const CONTENT_AGE_DAYS_MAX = 200;

const content: Examination = async ({ io, configuration, options }) => {
  const { contentStatus } = await import('../service/content/content-status.ts');
  const today = utcDateOf(io.clock.now());
  const loaded = await io.loadContent(contentFolder(configuration, options.content));
  const { name, version, date, states } = contentStatus(loaded, today);
  const registered = new Set<string>(configuration.registrations.map((each) => each.state));
  const own = states.filter((each) => registered.has(each.state));
  const namesOf = (some: readonly StateStatus[]): string => some.map((each) => each.state).join(', ');
  const said = `${name} ${version} of ${date}`;
  const bare = own.filter(({ coverage }) => coverage === 'none');
  if (bare.length > 0) {
    const step = 'Import the official rate files of these states: `tieout content import`.';
    return [ill('content', `${said}: nothing is known of ${namesOf(bare)}`, step, ExitCode.configuration)];
  }
  const rates = own.map((each) => (each.isStale ? doubtful : well)('rates', ratesText(each)));
  const days = daysFrom(date, today);
  if (days > CONTENT_AGE_DAYS_MAX) {
    const step = 'Use a newer version: law may have changed since. An import brings rates only.';
    return [ill('content', `${said} is ${days} days old`, step, ExitCode.configuration), ...rates];
  }
  const partly = own.filter(({ coverage }) => coverage !== 'complete');
  const covered = registered.size === 1 ? 'its state is' : `all ${registered.size} states are`;
  const incomplete = `; local rates of ${namesOf(partly)} are not complete`;
  return [well('content', `${said}${partly.length === 0 ? `, ${covered} covered` : incomplete}`), ...rates];
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

const answering: Examination = async ({ io, configuration }) => {
  const { url } = configuration.service;
  // An examination should not wait: it fails at once where a close would retry.
  const once = { ...configuration, service: { ...configuration.service, retries: 0, timeoutSeconds: 10 } };
  return io.withService(once, { url, content: undefined }, async ({ nexusMissing = [], servedContent }) => {
    const by = servedContent === undefined ? '' : ` by the tax content ${servedContent}`;
    if (nexusMissing.length === 0)
      return [well('service', `${url} answers${by}, and has nexus in every state of the configuration`)];
    const said = `${url} answers${by}, but has no nexus in ${nexusMissing.join(', ')}`;
    const step = 'Add these states to the account: the service calculates no tax where it knows no nexus.';
    return [ill('service', said, step, ExitCode.configuration)];
  });
};

const output: Examination = async ({ configuration, options }) => {
  const folder = outputOf(configuration, options.output);
  const place = await firstUnwritable(`${folder}/${configuration.entity}/.`);
  if (place === undefined) return [well('output', folder)];
  return [
    ill('output', `${place} cannot be written`, `${GIVE}, or name another folder.`, ExitCode.configuration),
  ];
};

/** Returns the nearest existing folder above a path if it is not writable; otherwise `undefined`. */
const firstUnwritable = async (path: string): Promise<string | undefined> => {
  let place = dirname(path);
  while (!(await exists(place)) && dirname(place) !== place) place = dirname(place);
  const isUsable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return isUsable ? undefined : place;
};

/** Size limit: files are read twice, here and by the close, so larger ones are left to the close. */
const READ_BYTES_MAX = 64 * 1024 * 1024;

/** Says that the files of these entries are too large to be read here; `undefined` if they are not. */
const tooLarge = async (
  what: string,
  entries: readonly string[],
  { resolvePath }: LoadedConfiguration,
): Promise<Diagnosis | undefined> => {
  const files = await expandFiles(entries, resolvePath).catch(() => []);
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path).catch(() => null))?.size));
  const bytes = sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
  if (bytes <= READ_BYTES_MAX) return undefined;
  return well(what, `${entries.join(', ')}: only a close reads files as large as these`);
};

const certificates: Examination = async ({ configuration }) => {
  const large = await tooLarge('certificates', configuration.certificates, configuration);
  if (large) return [large];
  const files = await readRegister(configuration);
  return files.map(
    ({ path, problems, used }) =>
      problemIn('certificates', path, problems) ??
      well('certificates', `${path}: ${shownNumber(used, 'certificate')}`),
  );
};

const balances: Examination = async ({ configuration }) => {
  const entries = configuration.ledger ? [configuration.ledger] : [];
  const large = await tooLarge('balances', entries, configuration);
  if (large) return [large];
  const file = await readLedger(configuration);
  if (!file) return [];
  const rows = shownNumber(file.balances.length, 'row');
  return [problemIn('balances', file.path, file.problems) ?? well('balances', `${file.path}: ${rows}`)];
};

type FileProblem = {
  readonly severity?: Severity;
  readonly origin: { readonly line: number };
  readonly message: string;
};

/** Warns of what a close would list as exceptions of a file; it stops no close. */
const problemIn = (what: string, path: string, problems: readonly FileProblem[]): Diagnosis | undefined => {
  const [first, ...others] = problems.filter(({ severity }) => severity !== 'notice');
  if (!first) return undefined;
  const { line } = first.origin;
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return doubtful(what, `${path}${line === 0 ? '' : `:${line}`}: ${first.message.replace(/\.$/, '')}${more}`);
};

/** Reads all exports as a close does, and says of each file what a close would make of it. */
const exportsRead: Examination = async (patient) => {
  const { configuration } = patient;
  const entries = configuration.channels.flatMap(({ files, refundDates }) => [...files, ...refundDates]);
  const large = await tooLarge('exports', entries, configuration);
  if (large) return [large];
  const folder = await mkdtemp(join(tmpdir(), 'tieout-doctor-'));
  try {
    const read = await readExports({ ...configuration, certificates: [], ledger: undefined }, { folder });
    return [...read.inputs.map((file) => fileRead(file, read)), ...(await missingPlaces(patient, read))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Notices to show before a close: the rest of the file is missing, or its time zone differs. */
const DOUBTFUL = new Set(['cut-off', 'time-zone-differs']);

const fileRead = (file: InputFile, { asides, undated }: Exports): Diagnosis => {
  const { channel, path, profile, rows, used, rejected, notices } = file;
  const messagesOf = (isMeant: (code: string) => boolean): string =>
    notices.flatMap(({ code, message }) => (isMeant(code) ? message : [])).join('; ');
  const without = messagesOf((code) => code === 'sales-not-read');
  if (without !== '') return doubtful('exports', without);
  const unread = messagesOf((code) => code === 'not-read');
  if (unread !== '') return doubtful('exports', `${path} is not read: ${unread}`);
  if (used === 0 && rejected > 0) {
    const first = [...undated, ...asides.days().flatMap(asides.read)].find(
      ({ origin, outcome }) => origin.file === path && outcome === 'rejected',
    );
    const said = `${channel}: ${path}: none of ${shownNumber(rows, 'row')} can be used: ${first?.reason.message}`;
    const step = `Export the file again; \`tieout profile test ${path}\` shows what is wrong with it.`;
    return ill('exports', said, step, ExitCode.badInput);
  }
  const doubt = messagesOf((code) => DOUBTFUL.has(code));
  return doubt === ''
    ? well('exports', `${channel}: ${path} is ${profile}`)
    : doubtful('exports', `${channel}: ${path}: ${doubt}`);
};

/** Warns of the places in the exports whose rate may be missing in the embedded service’s tax content. */
const missingPlaces = async (
  { io, configuration, options }: Patient,
  { sales }: Exports,
): Promise<readonly Diagnosis[]> => {
  if (configuration.service.url !== undefined) return [];
  const choice = { url: undefined, content: options.content };
  const places = await io.withService(configuration, choice, async ({ service }) => {
    const counter = gapCounter({ configuration, service });
    for (const day of sales.days()) for (const { sale } of sales.read(day)) counter.add(sale);
    return counter.places();
  });
  return places.length === 0 ? [] : [doubtful('rates', `one may be missing in ${placesText(places)}`)];
};

const objectOf = (examined: readonly Examined[], code: ExitCode): object => ({
  healthy: code === 0,
  exit_code: code,
  entities: examined.map(({ entity, diagnoses }) => ({
    entity,
    checks: diagnoses.map(({ what, exitCode, said, nextStep, isWarning = false }) => ({
      ...{ check: what, ok: exitCode === 0, warning: isWarning, said },
      ...(nextStep !== undefined && { next_step: nextStep, exit_code: exitCode }),
    })),
  })),
});

const textOf = (
  examined: readonly Examined[],
  all: readonly Diagnosis[],
  code: ExitCode,
  paint: Paint,
): string => {
  const lines = examined.flatMap(({ entity, diagnoses }) => [
    ...(examined.length > 1 ? [entity] : []),
    ...diagnoses.flatMap((diagnosis) => linesOf(diagnosis, paint)),
  ]);
  const wrong = all.filter(({ exitCode }) => exitCode !== 0).length;
  const warned = all.filter(({ isWarning }) => isWarning).length;
  const verdict = [
    ...(wrong === 0 ? ['a close can run'] : []),
    ...(warned === 0 ? [] : [shownNumber(warned, 'warning')]),
    ...(wrong === 0 ? [] : [`${shownNumber(wrong, 'problem')} found (exit code ${code})`]),
  ];
  return `${[...lines, verdict.join(', ')].join('\n')}\n`;
};

/** The labels of checks whose names in `--json` are those of keys in the configuration. */
const LABELS: Readonly<Record<string, string>> = { ledger: 'records', balances: 'ledger' };

const linesOf = (
  { what, exitCode, said, nextStep, isWarning }: Diagnosis,
  paint: Paint,
): readonly string[] => {
  const good = isWarning ? paint('heading', '! ') : paint('good', 'OK');
  return [
    `${exitCode === 0 ? good : paint('bad', '!!')} ${(LABELS[what] ?? what).padEnd(13)} ${said}`,
    ...(nextStep === undefined ? [] : [`${' '.repeat(17)}${nextStep}`]),
  ];
};
