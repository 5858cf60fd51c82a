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

const PATIENCE_MS = 5_000;

/** An input that takes longer than this counts as one that never ends. */
export const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
