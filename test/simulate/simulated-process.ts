import { AsyncLocalStorage } from 'node:async_hooks';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** A process is killed at one of its effects, counted from one. */
export type Kill = {
  readonly at: number;
  readonly when: 'before' | 'after';
};

/** A process of the simulation. From the moment it is killed, nothing that it began goes on. */
export type SimulatedProcess = {
  readonly isAlive: () => boolean;
  /** Change something outside of the process: a kill can keep apart what it does before and after. */
  readonly effect: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /** Learn something from outside. */
  readonly read: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** What the operating system does for a process that is gone. */
  readonly atEnd: (work: () => Promise<void>) => void;
  /** The effects so far, by name. */
  readonly effects: readonly string[];
  /** Live until the work ends or the process is killed. @returns whether it was killed */
  readonly live: (work: () => Promise<unknown>) => Promise<boolean>;
};

const running = new AsyncLocalStorage<SimulatedProcess>();
const never = (): Promise<never> => new Promise(() => {});

export const simulatedProcess = (kill?: Kill): SimulatedProcess => {
  const effects: string[] = [];
  const ending: (() => Promise<void>)[] = [];
  const death = Promise.withResolvers<true>();
  let alive = true;
  const die = (): Promise<never> => {
    alive = false;
    death.resolve(true);
    return never();
  };
  const read = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!alive) return never();
    try {
      const result = await work();
      return alive ? result : await never();
    } catch (error) {
      if (!alive) return never();
      throw error;
    }
  };
  const self: SimulatedProcess = {
    isAlive: () => alive,
    read,
    effect: async (name, work) => {
      if (!alive) return never();
      effects.push(name);
      const isHere = kill?.at === effects.length;
      if (isHere && kill.when === 'before') return die();
      const result = await read(work);
      return isHere ? die() : result;
    },
    atEnd: (work) => {
      ending.unshift(work);
    },
    effects,
    live: async (work) => {
      const living = running.run(self, work).then(() => false);
      const isKilled = await Promise.race([death.promise, living]);
      for (const end of ending) await end();
      return isKilled;
    },
  };
  return self;
};

type Method = (...given: unknown[]) => Promise<unknown>;
const METHODS = ['mkdtemp', 'mkdir', 'writeFile', 'appendFile', 'rename', 'rm', 'rmdir'] as const;

/** Make what processes of the simulation do to files effects of theirs. @returns gives this process its own files back */
export const simulateFiles = (): (() => void) => {
  const own = Object.fromEntries(METHODS.map((name) => [name, promises[name]]));
  for (const name of METHODS) {
    const original = promises[name] as Method;
    const watched: Method = (...given) => {
      const process = running.getStore();
      if (process === undefined) return original(...given);
      return process.effect(`${name} ${basename(String(given[0]))}`, () => original(...given));
    };
    Object.assign(promises, { [name]: watched });
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(promises, own);
    syncBuiltinESMExports();
  };
};
