import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { ClosePorts } from '../close/stages/close-ports.ts';

/** What commands need from the world. The composition root gives it to them; tests may give another. */
export type CommandIo = {
  /** To standard output. */
  readonly print: (text: string) => void;
  /** To standard error. */
  readonly warn: (text: string) => void;
  /** Whether a person watches standard error. */
  readonly isTerminal: boolean;
  /** Build everything a close works with, do the work, and put it all away again, whatever happens. */
  readonly withClose: <Result>(
    configuration: LoadedConfiguration,
    options: { readonly output: string | undefined },
    work: (ports: ClosePorts) => Promise<Result>,
  ) => Promise<Result>;
};
