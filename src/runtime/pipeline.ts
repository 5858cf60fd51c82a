import type * as z from 'zod';
import { TieoutError } from '../kernel/errors.ts';
import type { Progress } from './progress.ts';

/** What a stage hands back beside its result: a clause that says what it did. */
export type StageResult<Value> = { readonly value: Value; readonly summary: string };

export type StageRunner = {
  /** Run one stage by its name: report it, and let a failure say in which stage it happened. */
  readonly stage: <Value>(
    name: string,
    work: (advanced: (done: number, total?: number) => void) => Promise<StageResult<Value>>,
  ) => Promise<Value>;
};

export type Pipeline<Ports, Params, Result> = {
  readonly name: string;
  readonly params: z.ZodType<Params>;
  readonly run: (ports: Ports & { readonly progress: Progress }, params: unknown) => Promise<Result>;
};

/**
 * A pipeline is a name, a strict schema of its parameters, and a page of stages in order. It has no other powers:
 * resuming, locking and reporting belong to the stages and to this runner.
 */
export const definePipeline = <Ports extends object, Params, Result>(
  name: string,
  params: z.ZodType<Params>,
  body: (run: StageRunner, ports: Ports, params: Params) => Promise<Result>,
): Pipeline<Ports, Params, Result> => ({
  name,
  params,
  run: (ports, given) => body(stageRunner(ports.progress), ports, params.parse(given)),
});

const stageRunner = (progress: Progress): StageRunner => ({
  stage: async (name, work) => {
    progress.started(name);
    try {
      const { value, summary } = await work((done, total) => progress.advanced(name, done, total));
      progress.finished(name, summary);
      return value;
    } catch (error) {
      progress.finished(name, `stopped: ${error instanceof TieoutError ? error.code : 'E_DEFECT'}`);
      throw error;
    }
  },
});
