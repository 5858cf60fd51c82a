import { chooseEntities } from '../close/configuration/load-configuration.ts';
import { type ExitCode, worstOf } from '../kernel/exit-code.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import type { DoctorOptions } from './doctor.ts';
import { type Diagnosis, examinations } from './examinations.ts';
import type { CommandIo, Paint } from './io.ts';

type Examined = { readonly entity: string; readonly diagnoses: readonly Diagnosis[] };

/** Look at everything that a close of each entity needs: a line each, and the worst of them as exit code. */
export const examineEntities = async (io: CommandIo, options: DoctorOptions): Promise<ExitCode> => {
  const configurations = await chooseEntities(options.config, options.entity);
  const examined: Examined[] = [];
  for (const configuration of configurations) {
    const diagnoses: Diagnosis[] = [];
    for (const examine of examinations(io, configuration, options)) diagnoses.push(...(await examine()));
    examined.push({ entity: configuration.entity, diagnoses });
  }
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
    checks: diagnoses.map(({ what, exitCode, said, nextStep }) => ({
      check: what,
      ok: nextStep === undefined,
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
  const marks = examined.flatMap(({ diagnoses }) => diagnoses.map(markOf));
  const wrong = marks.filter((mark) => mark === '!!').length;
  const old = marks.filter((mark) => mark === '--').length;
  const found =
    wrong === 0 ? 'no problem found' : `${shownNumber(wrong, 'problem')} found (exit code ${code})`;
  const verdict = old > 0 ? `${found}; ${shownNumber(old, 'notice')}` : wrong === 0 ? 'all well' : found;
  return `${[...lines, verdict].join('\n')}\n`;
};

/** What is wrong stops a close, or makes it wrong; of the rest with a next step, the close flags what it concerns. */
const markOf = ({ exitCode, nextStep }: Diagnosis): 'OK' | '--' | '!!' =>
  exitCode !== 0 ? '!!' : nextStep === undefined ? 'OK' : '--';

const linesOf = (diagnosis: Diagnosis, paint: Paint): readonly string[] => {
  const { what, said, nextStep } = diagnosis;
  const mark = markOf(diagnosis);
  return [
    `${mark === '--' ? mark : paint(mark === 'OK' ? 'good' : 'bad', mark)} ${what.padEnd(13)} ${said}`,
    ...(nextStep === undefined ? [] : [`${' '.repeat(17)}${nextStep}`]),
  ];
};
