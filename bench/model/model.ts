import type { MeasuredClose, StageCost } from '../close-by-workers.ts';

/** What is asked of the model: a month, by whom, and on what. */
export type Plan = {
  readonly orders: number;
  /** None: the close does all of it. */
  readonly workers: number;
  /** Of a call; `null` for the embedded service. */
  readonly latencyMs: number | null;
  readonly concurrency: number;
  /** Processors that close and workers share. */
  readonly cores: number;
  /** Processors of all database servers together; 'shared' when they are those of the close and its workers. */
  readonly databaseCores: number | 'shared';
};

export type ModelledStage = {
  readonly stage: string;
  readonly seconds: number;
  /** What it waits for most. */
  readonly bound: 'one process' | 'workers' | 'service' | 'database' | 'processors';
};

export type Modelled = {
  readonly stages: readonly ModelledStage[];
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly databaseSeconds: number;
  readonly statements: number;
  readonly calls: number;
};

/** A cost that is there in any case, and one for each order. */
type Line = { readonly fixed: number; readonly each: number };
type Costs = Readonly<Record<Exclude<keyof StageCost, 'stage'>, Line>>;

/** Sales of a batch, which a worker takes one after the other. */
const BATCH = 500;

/** Of these stages, with the embedded service, threads of the close take their share: from so many orders on, up to so many threads. */
const ON_THREADS: readonly string[] = ['recompute', 'submit', 'read back', 'reconcile'];
const THREADS_FROM = 15_000;
const THREADS_MAX = 2;

/** Stages that workers take their share of; exports from so many orders on, which are 25 MB. */
const HANDED_OUT: ReadonlySet<string> = new Set(['extract', ...ON_THREADS]);
const EXPORTS_FROM = 31_000;

/** These call the service; the others cost the same with any. */
const CALLING: ReadonlySet<string> = new Set(['recompute', 'submit', 'read back']);

/**
 * How much of the shorter of work and waiting for calls is not done within the longer, the same of work and waiting for the
 * database, and seconds that a batch takes beside.
 */
type Frictions = {
  readonly overlap: number;
  readonly databaseOverlap: number;
  readonly batchSeconds: number;
};

/** Closes with a service of one kind make the model of stages that call such a service. */
const kindOf = (latencyMs: number | null): string =>
  latencyMs === null ? 'embedded' : latencyMs > 0 ? 'slow' : 'quick';

/** Whether a close is of a size that the model is made of: what is larger checks it, and what is smaller is no guide. */
export const isOfModel = ({ orders, latencyMs }: Pick<MeasuredClose, 'orders' | 'latencyMs'>): boolean =>
  latencyMs === null ? orders >= 100_000 && orders <= 300_000 : orders <= 30_000;

/** Works a plan out from closes of two sizes or more, each with and without workers, with a service that is slow or not. */
export const modelOf = (measured: readonly MeasuredClose[]) => {
  const costs = (plan: Pick<Plan, 'workers' | 'latencyMs'>, stage: string): Costs => {
    const kind = CALLING.has(stage) ? kindOf(plan.latencyMs) : 'embedded';
    const like = measured.filter(
      ({ workers, latencyMs }) => workers > 0 === plan.workers > 0 && kindOf(latencyMs) === kind,
    );
    const points = like.flatMap(({ orders, stages }) =>
      stages.filter((each) => each.stage === stage).map((cost) => ({ orders, cost })),
    );
    const names = ['wall', 'close', 'workers', 'database', 'service', 'statements', 'calls'] as const;
    return Object.fromEntries(
      names.map((name) => [name, lineThrough(points.map(({ orders, cost }) => [orders, cost[name]]))]),
    ) as Costs;
  };
  const stageNames = measured[0]?.stages.map(({ stage }) => stage) ?? [];

  const stageOf = (
    plan: Plan,
    stage: string,
    { overlap, databaseOverlap, batchSeconds }: Frictions,
  ): ModelledStage => {
    const { orders, workers, latencyMs, concurrency } = plan;
    const cost = costs(plan, stage);
    const at = (name: keyof Costs): number => Math.max(0, cost[name].fixed + cost[name].each * orders);
    const isShared = workers > 0 && HANDED_OUT.has(stage) && (stage !== 'extract' || orders >= EXPORTS_FROM);
    const hasThreads =
      workers === 0 && latencyMs === null && ON_THREADS.includes(stage) && orders >= THREADS_FROM;
    const hands = isShared ? workers : hasThreads ? Math.min(THREADS_MAX, plan.cores) : 1;
    // A worker waits for the database and the service on its own machine, and these serve no other machine then.
    const work = isShared ? at('workers') : at('close');
    const others = at('database') + at('service');
    const own = Math.max(work, others) + databaseOverlap * Math.min(work, others);
    const waits = (at('calls') * (latencyMs ?? 0)) / 1_000 / concurrency;
    const batches = isShared ? (orders / BATCH) * batchSeconds : 0;
    const byHands = (Math.max(own, waits) + overlap * Math.min(own, waits) + batches) / hands;
    const processors = at('close') + at('workers') + at('service');
    const isTogether = plan.databaseCores === 'shared';
    const bounds = [
      [byHands, waits > own ? 'service' : isShared ? 'workers' : 'one process'],
      [hasThreads ? 0 : at('close'), 'one process'],
      [(processors + (isTogether ? at('database') : 0)) / plan.cores, 'processors'],
      [plan.databaseCores === 'shared' ? 0 : at('database') / plan.databaseCores, 'database'],
    ] as const;
    const [seconds, bound] = bounds.reduce((longest, each) => (each[0] > longest[0] ? each : longest));
    return { stage, seconds, bound };
  };

  const frictions = frictionsOf(measured, (close, stage, given) => {
    const plan: Plan = { ...close, cores: CORES_OF_MEASURING, databaseCores: 'shared' };
    return stageOf(plan, stage, given).seconds;
  });

  return (plan: Plan): Modelled => {
    const stages = stageNames.map((stage) => stageOf(plan, stage, frictions));
    const total = (...names: readonly (keyof Costs)[]): number =>
      stageNames
        .flatMap((stage) => names.map((name) => costs(plan, stage)[name]))
        .reduce((sum, { fixed, each }) => sum + Math.max(0, fixed + each * plan.orders), 0);
    return {
      stages,
      seconds: stages.reduce((sum, { seconds }) => sum + seconds, 0),
      processorSeconds: total('close', 'workers'),
      databaseSeconds: total('database'),
      statements: total('statements'),
      calls: total('calls'),
    };
  };
};

/** The closes are measured on a machine with so many, everything beside one another. */
export const CORES_OF_MEASURING = 2;

/** The line that is nearest to some points, by their squared distances, each as a share of its size. */
const lineThrough = (points: readonly (readonly [x: number, y: number])[]): Line => {
  const sum = (of: (x: number, y: number) => number): number =>
    points.reduce((total, [x, y]) => total + of(x, y) / (x * x), 0);
  const [weight, xs, ys] = [sum(() => 1), sum((x) => x), sum((_, y) => y)];
  const [squares, products] = [sum((x) => x * x), sum((x, y) => x * y)];
  const spread = weight * squares - xs * xs;
  if (spread === 0) return { fixed: 0, each: xs === 0 ? 0 : products / squares };
  const each = (weight * products - xs * ys) / spread;
  return { fixed: (ys - each * xs) / weight, each };
};

type Estimate = (close: MeasuredClose, stage: string, given: Frictions) => number;

/** Seconds of a stage below which it says nothing about frictions. */
const WALL_MIN = 0.5;

/** The frictions with which the model is nearest to what was measured: looked for on a grid, because there are three. */
const frictionsOf = (measured: readonly MeasuredClose[], estimate: Estimate): Frictions => {
  const missOf = (given: Frictions): number =>
    measured
      .flatMap((close) =>
        close.stages
          .filter(({ wall }) => wall > WALL_MIN)
          .map(({ stage, wall }) => Math.abs(estimate(close, stage, given) / wall - 1)),
      )
      .reduce((sum, miss) => sum + miss, 0);
  const steps = (count: number, of: number) => Array.from({ length: count + 1 }, (_, index) => index * of);
  const candidates = steps(10, 0.1).flatMap((overlap) =>
    steps(10, 0.1).flatMap((databaseOverlap) =>
      steps(12, 0.025).map((batchSeconds) => ({ overlap, databaseOverlap, batchSeconds })),
    ),
  );
  return candidates.reduce((best, each) => (missOf(each) < missOf(best) ? each : best));
};
