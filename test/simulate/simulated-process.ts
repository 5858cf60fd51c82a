import { AsyncLocalStorage } from 'node:async_hooks';

/** What happens to a process at one of its effects, counted from one. */
export type Blow =
  | { readonly does: 'kill'; readonly at: number; readonly when: 'before' | 'after' }
  | { readonly does: 'fill the disk'; readonly at: number };

/** A process of the simulation. From the moment it is killed, nothing that it began goes on. */
export type SimulatedProcess = {
  readonly isAlive: () => boolean;
  /** Change something outside of the process: what it does before and after can be kept apart by a kill. */
  readonly effect: <Result>(name: string, work: () => Promise<Result>, full?: () => Error) => Promise<Result>;
  /** Learn something from outside. */
  readonly read: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** What the operating system does for a process that is gone. */
  readonly afterKill: (work: () => Promise<void>) => void;
  /** The effects so far, by name. */
  readonly effects: () => readonly string[];
  /** Live until the work ends or the process is killed. */
  readonly live: <Result>(work: () => Promise<Result>) => Promise<Lived<Result>>;
};

export type Lived<Result> =
  | { readonly end: 'killed' }
  | { readonly end: 'done'; readonly result: Result }
  | { readonly end: 'failed'; readonly error: unknown };

/** The process that runs now, for what reaches the world through modules of Node. */
export const runningProcess = new AsyncLocalStorage<SimulatedProcess>();

const never = (): Promise<never> => new Promise(() => {});

/** @param onEffect is told of each effect before it happens */
export const simulatedProcess = (
  blow?: Blow,
  onEffect: (name: string) => void = () => {},
): SimulatedProcess => {
  const names: string[] = [];
  const afterwards: (() => Promise<void>)[] = [];
  const death = Promise.withResolvers<Lived<never>>();
  let alive = true;
  const die = (): Promise<never> => {
    alive = false;
    death.resolve({ end: 'killed' });
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
    effect: async (name, work, full) => {
      if (!alive) return never();
      names.push(name);
      onEffect(name);
      const isHere = blow?.at === names.length;
      if (isHere && blow.does === 'fill the disk' && full) throw full();
      if (isHere && blow.does === 'kill' && blow.when === 'before') return die();
      const result = await read(work);
      return isHere && blow.does === 'kill' ? die() : result;
    },
    afterKill: (work) => {
      afterwards.push(work);
    },
    effects: () => names,
    live: async (work) => {
      const lived = await Promise.race([
        death.promise,
        runningProcess.run(self, work).then(
          (result) => ({ end: 'done', result }) as const,
          (error: unknown) => ({ end: 'failed', error }) as const,
        ),
      ]);
      if (lived.end === 'killed') for (const work of afterwards) await work();
      return lived;
    },
  };
  return self;
};
