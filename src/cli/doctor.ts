import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { withLedger, withService } from '../app/build-service.ts';
import {
  type LoadedConfiguration,
  loadUndecided,
  outputOf,
  withDecisions,
} from '../configuration/load-configuration.ts';
import { lockPlaceOf } from '../core/reading.ts';
import { damageOf } from '../database/connect.ts';
import { designedError, ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { REGISTER, readLocks } from '../periods/locks.ts';
import { readExports } from '../read/read-exports.ts';
import { exists } from '../runtime/publish-folder.ts';
import { eachEntity, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, withEntities, withOutput } from './options.ts';

type Options = EntityOptions & { readonly output?: string };

/** What was looked at, and what was found: well, to be looked at, or a problem that stops a close. */
type Check = {
  readonly check: string;
  readonly mark: 'OK' | '! ' | '!!';
  readonly said: string;
  readonly next_step?: string;
  readonly exit_code: ExitCode;
};

type Examined = { readonly entity: string; readonly checks: readonly Check[] };

const codeOf = ({ checks }: Examined): ExitCode => worstOf(checks.map((each) => each.exit_code));

/** Builds `tieout doctor`: reads what a close reads, without paid calls and without sending or writing anything. */
export const doctorCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withOutput(withEntities(new Command('doctor'))).action(async (options: Options) => {
    const configurations = await loadUndecided(options.config, options.entity);
    const outcomes = await eachEntity(configurations, async (configuration) => ({
      entity: configuration.entity,
      checks: await checksOf(io, configuration, outputOf(configuration, options.output)),
    }));
    exit(
      printOutcomes(io, options, outcomes, {
        period: undefined,
        codeOf,
        figuresOf: (examined) => ({ ...examined, exit_code: codeOf(examined) }),
        textOf: (examined, isSeveral) => `${isSeveral ? `${examined.entity}\n` : ''}${textOf(examined)}`,
      }),
    );
  });

/** A line about something that can be read; remarks ask a person to look at it. */
const found = (check: string, said: string, remarks: readonly string[] = []): Check => ({
  check,
  mark: remarks.length === 0 ? 'OK' : '! ',
  said: [said, ...(remarks.length === 0 ? [] : [remarks.join('; ')])].join(': '),
  exit_code: ExitCode.clean,
});

/** Checks what a close of an entity needs, in the order in which it needs it. */
const checksOf = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  output: string,
): Promise<readonly Check[]> => {
  const { registrations, channels, file, decisions, service } = configuration;
  const counts = `${shownNumber(registrations.length, 'registration')}, ${shownNumber(channels.length, 'channel')}`;
  const checks: Check[] = [found('configuration', `${file}: ${counts}`)];
  const examine = async (check: string, work: () => Promise<string | readonly Check[]>): Promise<void> => {
    try {
      const said = await work();
      checks.push(...(typeof said === 'string' ? [found(check, said)] : said));
    } catch (error) {
      const designed = designedError(error);
      if (!designed || designed.recovery === 'defect') throw error;
      const said = `${designed.code}: ${designed.message.replace(/\.$/, '')}`;
      checks.push({
        check,
        mark: '!!',
        said,
        next_step: designed.nextStep,
        exit_code: exitCodeOf(error),
      });
    }
  };
  if (decisions.length > 0)
    await examine('decisions', async () => {
      const { decided } = await withDecisions(configuration);
      return `${decisions.join(', ')}: ${shownNumber(decided.length, 'decision')}`;
    });
  await examine('locks', async () => {
    const { lines } = await readLocks(lockPlaceOf({ configuration, output }));
    return `${REGISTER}: ${shownNumber(lines.length, 'line')}`;
  });
  if (service.url === undefined) await examine('records', () => recordsOf(configuration));
  else await examine('service', () => answerOf(io, configuration));
  await examine('exports', () => filesOf(configuration));
  return checks;
};

const recordsOf = async ({ resolveUrl, databases }: LoadedConfiguration): Promise<string> => {
  const url = resolveUrl(databases.ledger);
  const file = url.startsWith('sqlite:') && url !== 'sqlite::memory:' ? url.slice('sqlite:'.length) : '';
  if (file !== '' && !(await exists(file))) return `${file} does not exist yet; the first close creates it`;
  await withLedger(url, async () => {
    // While the file is open: a reader on its own would leave its log file behind.
    const damage =
      file === '' ? undefined : damageOf({ engine: 'sqlite', place: file }, undefined, 'quick_check');
    if (damage) throw damage;
  });
  return file || 'on a server';
};

/** Asks the service once: a close would wait and try again. */
const answerOf = (io: CommandIo, configuration: LoadedConfiguration): Promise<readonly Check[]> => {
  const service = { ...configuration.service, retries: 0, timeoutSeconds: 10 };
  return withService(
    { ...io, configuration: { ...configuration, service } },
    async ({ nexusMissing = [], servedContent = 'without a name' }) => {
      const answers = found('service', `${service.url} answers by the tax content ${servedContent}`);
      if (nexusMissing.length === 0) return [answers];
      return [
        {
          ...answers,
          mark: '!!',
          said: `${answers.said}, but has no nexus in ${nexusMissing.join(', ')}`,
          next_step:
            'Add these states to the account: the service calculates no tax where it knows no nexus.',
          exit_code: ExitCode.configuration,
        },
      ];
    },
  );
};

/** Reads all that a close reads, and says of each file what a close would make of it. */
const filesOf = async (configuration: LoadedConfiguration): Promise<readonly Check[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-doctor-'));
  try {
    const decided = await withDecisions(configuration).catch(() => configuration);
    const { certificates, ledger, inputs } = await readExports(decided, { folder });
    const tables = [
      ...certificates.map((table) => ({ check: 'certificates', ...table })),
      ...(ledger ? [{ check: 'ledger', ...ledger }] : []),
    ];
    return [
      ...tables.map(({ check, path, problems }) => {
        const remarks = problems.map(({ origin, message }) => `line ${origin.line}: ${message}`);
        return found(check, remarks.length === 0 ? `${path} is read` : path, remarks);
      }),
      ...inputs.map(({ channel, path, profile, notices }) => {
        const remarks = notices.map(({ message }) => message);
        const read = channel === '' ? path : `${path} is ${profile} of ${channel}`;
        return found('exports', read, remarks);
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const textOf = (examined: Examined): string => {
  const { checks } = examined;
  const problems = checks.filter(({ mark }) => mark === '!!').length;
  const lines = checks.flatMap(({ check, mark, said, next_step }) => [
    `${mark} ${check.padEnd(13)} ${said}`,
    ...(next_step === undefined ? [] : [`${' '.repeat(17)}${next_step}`]),
  ]);
  const code = codeOf(examined);
  const verdict =
    problems === 0 ? 'a close can run' : `${shownNumber(problems, 'problem')} found (exit code ${code})`;
  return `${[...lines, verdict].join('\n')}\n`;
};
