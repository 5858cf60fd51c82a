import { constants } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { askService, withLedger } from '../app/build-service.ts';
import {
  type LoadedConfiguration,
  loadUndecided,
  outputOf,
  withDecisions,
} from '../configuration/load-configuration.ts';
import { lockPlaceOf } from '../core/reading.ts';
import { damageOf } from '../database/connect.ts';
import type { InputFile } from '../figures/period-report.ts';
import { designedError, ExitCode, exitCodeOf, type TieoutError, worstOf } from '../kernel/errors.ts';
import type { Severity } from '../kernel/finding.ts';
import { shownNumber } from '../kernel/text.ts';
import { REGISTER, readLocks } from '../periods/locks.ts';
import { readExports } from '../read/read-exports.ts';
import { exists } from '../runtime/publish-folder.ts';
import type { CommandIo, Paint } from './io.ts';
import { type EntityOptions, withEntities, withOutput } from './options.ts';

type Options = EntityOptions & { readonly output?: string };

/** Builds `tieout doctor`: reads what a close reads, without paid calls and without sending or writing anything. */
export const doctorCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withOutput(withEntities(new Command('doctor'))).action(async (options: Options) => {
    const entities: { readonly entity: string; readonly checks: readonly Check[] }[] = [];
    for (const configuration of await loadUndecided(options.config, options.entity))
      entities.push({
        entity: configuration.entity,
        checks: await checksOf({ io, configuration, options }),
      });
    const all = entities.flatMap(({ checks }) => checks);
    const code = worstOf(all.map(({ exitCode }) => exitCode));
    const object = {
      healthy: code === 0,
      exit_code: code,
      entities: entities.map(({ entity, checks }) => ({ entity, checks: checks.map(checkObject) })),
    };
    const lines = entities.flatMap(({ entity, checks }) => [
      ...(entities.length > 1 ? [entity] : []),
      ...checks.flatMap((check) => linesOf(check, io.paint)),
    ]);
    const text = `${[...lines, verdictOf(all, code)].join('\n')}\n`;
    io.print(options.json ? `${JSON.stringify(object, null, 2)}\n` : text);
    exit(code);
  });

/** The result of one check; with a next step only if there is a problem. */
type Check = {
  readonly what: string;
  readonly exitCode: ExitCode;
  readonly text: string;
  readonly nextStep?: string;
  /** A close works without it, but its figures may be less accurate. */
  readonly isWarning?: boolean;
};

const well = (what: string, text: string): Check => ({ what, exitCode: ExitCode.clean, text });

const warned = (what: string, text: string): Check => ({ ...well(what, text), isWarning: true });

const failed = (what: string, text: string, nextStep: string, exitCode: ExitCode): Check => ({
  what,
  exitCode,
  text,
  nextStep,
});

const failedWith = (what: string, error: TieoutError): Check =>
  failed(what, `${error.code}: ${error.message.replace(/\.$/, '')}`, error.nextStep, exitCodeOf(error));

type Subject = {
  readonly io: CommandIo;
  readonly configuration: LoadedConfiguration;
  readonly options: Options;
};

type Examine = (subject: Subject) => Promise<readonly Check[]>;

/** Checks everything that a close of an entity needs, in the order in which a close needs it. */
const checksOf = async (subject: Subject): Promise<readonly Check[]> => {
  const { registrations, channels, file, service } = subject.configuration;
  const counts = `${shownNumber(registrations.length, 'registration')}, ${shownNumber(channels.length, 'channel')}`;
  const checks: Check[] = [well('configuration', `${file}: ${counts}`)];
  const all: Readonly<Record<string, Examine>> = {
    decisions,
    locks,
    ...(service.url === undefined ? { records } : { service: answering }),
    output,
    exports: inputs,
  };
  for (const [what, examine] of Object.entries(all))
    try {
      checks.push(...(await examine(subject)));
    } catch (error) {
      const designed = designedError(error);
      if (!designed || designed.recovery === 'defect') throw error;
      checks.push(failedWith(what, designed));
    }
  return checks;
};

const decisions: Examine = async ({ configuration }) => {
  const { decisions: files, decided } = await withDecisions(configuration);
  const count = shownNumber(decided.length, 'decision');
  return files.length === 0 ? [] : [well('decisions', `${files.join(', ')}: ${count}`)];
};

/** Checks the register of locks against the published folders, as a close does before it starts. */
const locks: Examine = async ({ configuration, options }) => {
  const place = lockPlaceOf({ configuration, output: outputOf(configuration, options.output) });
  const { lines } = await readLocks(place);
  const text = `${REGISTER} has what is locked and signed in ${place.output}`;
  return lines.length === 0 ? [] : [well('locks', text)];
};

const records: Examine = async ({ configuration: { resolveUrl, databases } }) => {
  const url = resolveUrl(databases.ledger);
  const file = url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? url.slice('sqlite:'.length) : '';
  if (file !== '' && !(await exists(file)))
    return [well('records', `${file} does not exist yet; the first close creates it`)];
  const accounts = await withLedger(url, async (opened) => {
    const count = (await opened.accounts.list()).length;
    // While the file is open: a reader on its own would leave its log file behind.
    const damage = file === '' ? undefined : damageOf({ engine: 'sqlite', place: file }, 'quick_check');
    if (damage) throw damage;
    return shownNumber(count, 'account');
  });
  return [well('records', `${file || 'on a server'}, ${accounts}`)];
};

const answering: Examine = async ({ io, configuration }) => {
  const { url } = configuration.service;
  const { nexusMissing, servedContent } = await askService(configuration, io);
  const by = servedContent === undefined ? '' : ` by the tax content ${servedContent}`;
  if (nexusMissing.length === 0)
    return [well('service', `${url} answers${by}, and has nexus in every state of the configuration`)];
  const text = `${url} answers${by}, but has no nexus in ${nexusMissing.join(', ')}`;
  const step = 'Add these states to the account: the service calculates no tax where it knows no nexus.';
  return [failed('service', text, step, ExitCode.configuration)];
};

const output: Examine = async ({ configuration, options }) => {
  const folder = outputOf(configuration, options.output);
  let place = join(folder, configuration.entity);
  while (!(await exists(place)) && dirname(place) !== place) place = dirname(place);
  try {
    await access(place, constants.W_OK | constants.X_OK);
    return [well('output', folder)];
  } catch {
    const step = 'Give this user the right to write there, or name another folder.';
    return [failed('output', `${place} cannot be written`, step, ExitCode.configuration)];
  }
};

type FileProblem = {
  readonly severity?: Severity;
  readonly origin: { readonly line: number };
  readonly message: string;
};

/** Warns of what a close would list as exceptions of a file; it stops no close. */
const tableCheck = (what: string, path: string, problems: readonly FileProblem[], counted: string): Check => {
  const [first, ...others] = problems.filter(({ severity }) => severity !== 'notice');
  if (!first) return well(what, `${path}: ${counted}`);
  const { line } = first.origin;
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return warned(what, `${path}${line === 0 ? '' : `:${line}`}: ${first.message.replace(/\.$/, '')}${more}`);
};

/** Reads all that a close reads, and says of each file what a close would make of it. */
const inputs: Examine = async ({ configuration }) => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-doctor-'));
  try {
    const decided = await withDecisions(configuration).catch(() => configuration);
    const read = await readExports(decided, { folder });
    return [
      ...read.certificates.map(({ path, problems, used }) =>
        tableCheck('certificates', path, problems, shownNumber(used, 'certificate')),
      ),
      ...(read.ledger ? [read.ledger] : []).map(({ path, problems, balances }) =>
        tableCheck('ledger', path, problems, shownNumber(balances.length, 'row')),
      ),
      ...read.inputs.map(fileCheck),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Notices to show before a close: the file or a part of it is not read. */
const WARNED = new Set(['sales-not-read', 'no-final-line-end']);

const fileCheck = ({ channel, path, profile, rows, used, rejected, notices }: InputFile): Check => {
  if (used === 0 && rejected > 0) {
    const step = `Export the file again; \`tieout profile test ${path}\` shows what is wrong with it.`;
    const text = `${channel}: ${path}: none of ${shownNumber(rows, 'row')} can be used`;
    return failed('exports', text, step, ExitCode.badInput);
  }
  const unread = notices.find(({ code }) => code === 'not-read');
  if (unread) return warned('exports', `${path} is not read: ${unread.message}`);
  const messages = notices.flatMap(({ code, message }) => (WARNED.has(code) ? message : []));
  return messages.length === 0
    ? well('exports', `${channel}: ${path} is ${profile}`)
    : warned('exports', `${path}: ${messages.join('; ')}`);
};

const checkObject = ({ what, exitCode, text, nextStep, isWarning = false }: Check): object => ({
  check: what,
  ok: exitCode === 0,
  warning: isWarning,
  said: text,
  ...(nextStep !== undefined && { next_step: nextStep, exit_code: exitCode }),
});

const linesOf = ({ what, exitCode, text, nextStep, isWarning }: Check, paint: Paint): readonly string[] => {
  const good = isWarning ? paint('heading', '! ') : paint('good', 'OK');
  return [
    `${exitCode === 0 ? good : paint('bad', '!!')} ${what.padEnd(13)} ${text}`,
    ...(nextStep === undefined ? [] : [`${' '.repeat(17)}${nextStep}`]),
  ];
};

const verdictOf = (checks: readonly Check[], code: ExitCode): string => {
  const problems = checks.filter(({ exitCode }) => exitCode !== 0).length;
  const warnings = checks.filter(({ isWarning }) => isWarning).length;
  return [
    ...(problems === 0 ? ['a close can run'] : []),
    ...(warnings === 0 ? [] : [shownNumber(warnings, 'warning')]),
    ...(problems === 0 ? [] : [`${shownNumber(problems, 'problem')} found (exit code ${code})`]),
  ].join(', ');
};
