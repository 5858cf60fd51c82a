import type * as z from 'zod';
import { exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { shownCount } from '../kernel/text.ts';

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

/** The reports of a run to the person or the mail that watches it. Figures for machines go elsewhere. */
export type Progress = {
  /** A stage begins. */
  readonly started: (stage: string) => void;
  /** Records done so far in the stage; `total` when it is known. */
  readonly advanced: (stage: string, done: number, total?: number) => void;
  /** The stage is done; `summary` is a short clause such as `321 orders, 25 refunds`. */
  readonly finished: (stage: string, summary: string) => void;
};

export const silentProgress: Progress = { started: () => {}, advanced: () => {}, finished: () => {} };

const CLEAR_LINE = '\r\u001b[2K';
/** No one can read a line that changes more often. */
const REDRAW_MS = 100;

/** Show one line that is rewritten in place, for a terminal: the stage, and what is done of its records. */
export const terminalProgress = (
  write: (text: string) => void,
  nowMs: () => number = () => performance.now(),
): Progress => {
  let drawnMs = Number.NEGATIVE_INFINITY;
  const draw = (text: string): void => {
    drawnMs = nowMs();
    write(`${CLEAR_LINE}  ${text}`);
  };
  return {
    started: (stage) => draw(`${stage} …`),
    advanced: (stage, done, total = done) => {
      if (done === 0 || nowMs() - drawnMs < REDRAW_MS) return;
      draw(`${stage} … ${shownCount(done)}${total > done ? ` of ${shownCount(total)}` : ''}`);
    },
    finished: (stage, summary) => write(onOwnLine(`${stage.padEnd(10)} ${summary}`)),
  };
};

/** Return a line for a terminal that also shows progress. */
export const onOwnLine = (text: string): string => `${CLEAR_LINE}  ${text}\n`;

/** `3.2 s`, `48 s`, `125 min` */
export const shownSeconds = (seconds: number): string => {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
};

/** Print one plain line for each finished stage, for logs and cron mail. */
export const plainProgress = (write: (text: string) => void): Progress => ({
  started: () => {},
  advanced: () => {},
  finished: (stage, summary) => write(`${stage}: ${summary}\n`),
});
