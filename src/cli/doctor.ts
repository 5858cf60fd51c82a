import { Command } from 'commander';
import { chooseEach, loadUndecided } from '../close/configuration/load-configuration.ts';
import { type ExitCode, worstOf } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { type DoctorOptions, examinations } from './examinations.ts';
import { type Diagnosis, unreadTables } from './examine-exports.ts';
import type { CommandIo, Paint } from './io.ts';
import { withEntities } from './options.ts';

/** Builds `tieout doctor`: checks what a close needs, without paid calls and without sending or writing anything. */
export const doctorCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('doctor'))
    .option('--content <folder>', 'use this tax content folder instead of the built-in one')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .action(async (options: DoctorOptions) => {
      exit(await examineEntities(io, options));
    });

type Examined = { readonly entity: string; readonly diagnoses: Diagnosis[] };

/** Examines everything that a close of each entity needs; prints a line each and returns the worst exit code. */
export const examineEntities = async (io: CommandIo, options: DoctorOptions): Promise<ExitCode> => {
  const configurations = await chooseEach(options.config, options.entity);
  const examined: Examined[] = [];
  for (const configuration of configurations) {
    const diagnoses: Diagnosis[] = [];
    for (const examine of examinations(io, configuration, options)) diagnoses.push(...(await examine()));
    examined.push({ entity: configuration.entity, diagnoses });
  }
  const all = options.entity === undefined ? configurations : await loadUndecided(options.config);
  examined.at(-1)?.diagnoses.push(...(await unreadTables(all)));
  const code = worstOf(examined.flatMap(({ diagnoses }) => diagnoses.map(({ exitCode }) => exitCode)));
  if (options.json) io.print(`${JSON.stringify(objectOf(examined, code), null, 2)}\n`);
  else io.print(textOf(examined, code, io.paint));
  return code;
};

const objectOf = (examined: readonly Examined[], code: ExitCode): object => ({
  healthy: code === 0,
  exit_code: code,
  entities: examined.map(({ entity, diagnoses }) => ({
    entity,
    checks: diagnoses.map(({ what, exitCode, said, nextStep, isWarning = false }) => ({
      check: what,
      ok: exitCode === 0,
      warning: isWarning,
      said,
      ...(nextStep !== undefined && { next_step: nextStep, exit_code: exitCode }),
    })),
  })),
});

const textOf = (examined: readonly Examined[], code: ExitCode, paint: Paint): string => {
  const lines = examined.flatMap(({ entity, diagnoses }) => [
    ...(examined.length > 1 ? [entity] : []),
    ...diagnoses.flatMap((diagnosis) => linesOf(diagnosis, paint)),
  ]);
  const wrong = examined
    .flatMap(({ diagnoses }) => diagnoses)
    .filter(({ exitCode }) => exitCode !== 0).length;
  const warned = examined.flatMap(({ diagnoses }) => diagnoses).filter(({ isWarning }) => isWarning).length;
  const warnings = warned === 0 ? [] : [shownNumber(warned, 'warning')];
  const verdict =
    wrong === 0
      ? ['a close can run', ...warnings]
      : [...warnings, `${shownNumber(wrong, 'problem')} found (exit code ${code})`];
  return `${[...lines, verdict.join(', ')].join('\n')}\n`;
};

const markOf = ({ exitCode, isWarning }: Diagnosis, paint: Paint): string => {
  if (exitCode !== 0) return paint('bad', '!!');
  return isWarning ? paint('heading', '! ') : paint('good', 'OK');
};

/** The labels of checks whose names in `--json` are those of keys in the configuration. */
const LABELS: Readonly<Record<string, string>> = { ledger: 'records', balances: 'ledger' };

const linesOf = (diagnosis: Diagnosis, paint: Paint): readonly string[] => {
  const { what, said, nextStep } = diagnosis;
  return [
    `${markOf(diagnosis, paint)} ${(LABELS[what] ?? what).padEnd(13)} ${said}`,
    ...(nextStep === undefined ? [] : [`${' '.repeat(17)}${nextStep}`]),
  ];
};
