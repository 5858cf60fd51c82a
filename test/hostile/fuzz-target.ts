import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { TieoutError } from '../../src/kernel/errors.ts';

/** Try so many inputs; what fails is shrunk to the least that does. */
export type FuzzRun = (options: {
  readonly numRuns: number;
  readonly seed: number;
}) => Promise<fc.RunDetails<unknown>>;

export const fuzzRun =
  <Input>(input: fc.Arbitrary<Input>, check: (input: Input) => Promise<void>): FuzzRun =>
  async (options) =>
    (await fc.check(fc.asyncProperty(input, check), options)) as fc.RunDetails<unknown>;

/** Something that takes input from elsewhere. */
export type FuzzTarget = {
  readonly name: string;
  /** How many of a hundred thousand inputs it gets. */
  readonly share: number;
  /** Make what the inputs go to; `close` puts it away. */
  readonly open: () => Promise<{
    readonly run: FuzzRun;
    readonly close: () => Promise<void>;
  }>;
};

/** Work of a target in a folder of its own. */
export const inFolder = async (runIn: (folder: string) => FuzzRun | Promise<FuzzRun>) => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-fuzz-'));
  return { run: await runIn(folder), close: () => rm(folder, { recursive: true }) };
};

/** What may become of input that makes no sense: an error that was designed for it, and says what to do. */
export const refusedClearly = async (work: () => unknown): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    if (error.message.length < 10 || error.nextStep.length < 10)
      throw new Error(`an unclear refusal: ${error.code} ${error.message}`);
  }
};

const PATIENCE_SECONDS = 10;

const processorSeconds = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

/** An input that takes more of the processor than this counts as one that never ends, however busy the machine is. */
export const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
  const began = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (processorSeconds(began) > PATIENCE_SECONDS)
        reject(new Error(`no end after ${PATIENCE_SECONDS} seconds of processor`));
    }, 1_000);
  });
  return Promise.race([work, late]).finally(() => clearInterval(timer));
};
