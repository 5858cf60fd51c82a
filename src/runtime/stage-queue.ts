/**
 * A queue that lets runs with the same stages overlap: each stage takes the runs one at a time, in order. So run 2
 * recomputes while run 1 submits, and every stage finds the same state as if the runs were sequential.
 */
export type StageQueue = {
  /** Do the work of a stage once all earlier runs have passed that stage or have ended. */
  readonly enter: <Result>(run: number, stage: string, work: () => Promise<Result>) => Promise<Result>;
  /** End the run, whether it passed all of its stages or not. */
  readonly end: (run: number) => void;
};

type Gate = ReturnType<typeof Promise.withResolvers<void>>;

/** Create the queue for runs that are numbered from 0 and start in that order. */
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
