import type * as z from 'zod';
import { exitCodeOf, TieoutError } from '../kernel/errors.ts';
import type { Progress } from './progress.ts';

/** The value of a stage, and a clause that summarizes what it did. */
export type StageResult<Value> = { readonly value: Value; readonly summary: string };

export type StageRunner = {
  /** Run one stage by name, and report its progress and end, or the error that stopped it. */
  readonly stage: <Value>(
    name: string,
    work: (advanced: (done: number, total?: number) => void) => Promise<StageResult<Value>>,
  ) => Promise<Value>;
  /** Report a stage of which all is known. */
  readonly tell: <Value>(name: string, value: Value, summary: string) => Promise<Value>;
};

/** The observer of a run, and the request to stop it. */
export type Watch = {
  readonly progress: Progress;
  readonly stopping?: Stopping;
};

/**
 * Define a pipeline: a name, a strict schema of its parameters, and a page of stages in order. It does nothing else:
 * resuming, locking and reporting belong to the stages and to this runner.
 */
export const definePipeline = <Ports extends object, Params, Result>(
  name: string,
  params: z.ZodType<Params>,
  body: (run: StageRunner, ports: Ports & Watch, params: Params) => Promise<Result>,
) => ({
  name,
  params,
  /** @throws {TieoutError} E_STOPPED when it was asked to stop before it had finished */
  run: async (ports: Ports & Watch, given: unknown): Promise<Result> =>
    body(stageRunner(ports), ports, params.parse(given)),
});

/**
 * Run stages one by one. Every stage reports its progress after each committed batch; there, and before a stage begins,
 * the run can be stopped without losing anything.
 */
export const stageRunner = ({ progress, stopping = neverStopping }: Watch): StageRunner => {
  const stage: StageRunner['stage'] = async (name, work) => {
    stopIfAsked(stopping, name);
    progress.started(name);
    try {
      const { value, summary } = await work((done, total) => {
        progress.advanced(name, done, total);
        stopIfAsked(stopping, name);
      });
      progress.finished(name, summary);
      return value;
    } catch (error) {
      const code = error instanceof TieoutError ? error.code : 'E_DEFECT';
      progress.finished(name, `stopped: ${code}, exit code ${exitCodeOf(error)}`);
      throw error;
    }
  };
  return { stage, tell: (name, value, summary) => stage(name, async () => ({ value, summary })) };
};

/** Whether the run was asked to stop. Checked between batches, when everything done is committed. */
export type Stopping = { readonly isAsked: () => boolean };

export const neverStopping: Stopping = { isAsked: () => false };

/** @throws {TieoutError} E_STOPPED when the run was asked to stop */
export const stopIfAsked = (stopping: Stopping, where: string): void => {
  if (!stopping.isAsked()) return;
  throw new TieoutError({
    code: 'E_STOPPED',
    message: `the run was asked to stop, and stopped in ${where} when the batch at work was done`,
    nextStep: 'Run the same command again: it continues where it stopped',
  });
};
