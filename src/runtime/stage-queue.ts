/**
 * Lets several runs overlap that pass through the same stages: each stage takes them one at a time, in their order.
 * So run 2 recomputes while run 1 submits, and every stage of a run finds what it would find had the runs come one
 * after the other.
 */
export type StageQueue = {
  /** Do the work of a stage when all earlier runs have been through that stage, or are over. */
  readonly enter: <Result>(run: number, stage: string, work: () => Promise<Result>) => Promise<Result>;
  /** The run has no more stages, whether it went through all of them or not. */
  readonly end: (run: number) => void;
};

type Gate = ReturnType<typeof Promise.withResolvers<void>>;

/** Turns for runs that are numbered from 0, and begin in that order. */
export const stageQueue = (runs: number): StageQueue => {
  const gates = Array.from({ length: runs }, () => new Map<string, Gate>());
  const over = new Set<number>();
  const gateOf = (run: number, stage: string): Gate => {
    const known = gates[run]?.get(stage);
    if (known) return known;
    const gate = Promise.withResolvers<void>();
    if (over.has(run)) gate.resolve();
    gates[run]?.set(stage, gate);
    return gate;
  };
  return {
    enter: async (run, stage, work) => {
      for (let earlier = 0; earlier < run; earlier += 1) await gateOf(earlier, stage).promise;
      try {
        return await work();
      } finally {
        gateOf(run, stage).resolve();
      }
    },
    end: (run) => {
      over.add(run);
      for (const gate of gates[run]?.values() ?? []) gate.resolve();
    },
  };
};
