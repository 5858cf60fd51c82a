import { join } from 'node:path';
import { designedError } from '../../src/kernel/errors.ts';
import { type CalmLife, type CalmStep, calmLife } from './calm-life.ts';
import { type FolderWatch, folderState, folderWatch } from './folder-watch.ts';
import { correctedProblems, recordModel, recordsIn } from './model.ts';
import { type Disturbance, type DisturbedStep, type Plan, planOf } from './plan.ts';
import { OCTOBER, type Step } from './story.ts';
import {
  type Conditions,
  type History,
  type Moment,
  type Ran,
  SIMULATED_BUILD,
  type World,
} from './world.ts';

export type Tried = {
  readonly plan: Plan;
  readonly runs: number;
  readonly kills: readonly string[];
  readonly problems: readonly string[];
};

export type TrySeed = (seed: number, tell?: (line: string) => void) => Promise<Tried>;

const RUNS_MAX = 12;
/** From this one on nothing disturbs a run any more. */
const CALM_AFTER = 8;

/** Live the plans of seeds disturbed, and compare each with its story undisturbed, which is lived once for all of them. */
export const seedTrier = (world: World): TrySeed => {
  let last: { readonly number: number; readonly life: CalmLife } | undefined;
  return async (seed, tell = () => {}) => {
    const plan = planOf(seed);
    const { number } = plan.story;
    if (last?.number !== number) last = { number, life: await calmLife(world, plan.story) };
    const { problems } = last.life;
    if (problems.length > 0) return { plan, runs: 0, kills: [], problems };
    return disturbedLife(world, plan, last.life.steps, tell);
  };
};

type Life = {
  readonly world: World;
  readonly plan: Plan;
  readonly history: History;
  readonly calm: readonly CalmStep[];
  readonly model: ReturnType<typeof recordModel>;
  readonly folder: FolderWatch;
  readonly tell: (line: string) => void;
  readonly kills: string[];
  readonly problems: string[];
  runs: number;
  /** Whether each step so far has come to its end, so that everything is as in the undisturbed life. */
  isStrict: boolean;
};

const disturbedLife = async (
  world: World,
  plan: Plan,
  calm: readonly CalmStep[],
  tell: (line: string) => void,
): Promise<Tried> => {
  const { story, seed, steps } = plan;
  const first = steps[0]?.index ?? 0;
  const moment = beginningOf(plan, calm[first]);
  const life: Life = {
    world,
    plan,
    calm,
    history: await world.begin(story, seed, moment),
    model: recordModel(),
    folder: folderWatch(join(world.output, 'shop', OCTOBER), SIMULATED_BUILD),
    tell,
    kills: moment.effect === '' ? [] : [moment.effect],
    problems: [],
    runs: 0,
    isStrict: true,
  };
  if (moment.effect !== '') tell(`step ${first + 1}: the undisturbed run, killed before ${moment.effect}`);
  for (const { sales, does } of story.steps.slice(0, first)) {
    if (does === 'lock') await life.folder.freeze();
    life.model.began(sales);
    life.model.ended(sales);
  }
  for (const disturbed of steps) {
    await liveStep(life, disturbed);
    if (life.problems.length > 0) break;
  }
  const { runs, kills, problems } = life;
  return { plan, runs, kills, problems };
};

/** The step as it begins, or where its undisturbed run is killed. */
const beginningOf = ({ killedAt }: Plan, calm: CalmStep | undefined): Moment => {
  if (calm === undefined) throw new Error('the undisturbed life has no such step');
  if (killedAt === undefined) return calm.before;
  return calm.moments[Math.floor((calm.moments.length * killedAt) / 1_000)] ?? calm.before;
};

const liveStep = async (life: Life, { index, disturbances, isCutShort }: DisturbedStep): Promise<void> => {
  const { plan, history, calm, model, folder, problems } = life;
  const step = plan.story.steps[index];
  if (step === undefined) throw new Error('the story has no such step');
  const isFirst = index === plan.steps[0]?.index;
  const mayBegin = step.records === 'each as stated';
  if (mayBegin) model.began(step.sales);
  for (let run = 0; run <= RUNS_MAX; run += 1) {
    if (isCutShort && (run === 1 || (isFirst && plan.killedAt !== undefined))) {
      life.isStrict = false;
      return;
    }
    history.pass(plan.clockJumps[life.runs % plan.clockJumps.length] ?? 0);
    life.runs += 1;
    const conditions = conditionsOf(plan, disturbances[run], run, calm[index]?.effects ?? 0);
    const ran = await history.run(step, conditions);
    life.tell(`step ${index + 1}, run ${run + 1}: ${JSON.stringify(conditions)} → ${endOf(ran)}`);
    problems.push(...ran.wrongCalls);
    if (plan.story.lateItems !== 'none')
      problems.push(...(await folder.look(step.does === 'lock' && !ran.hasEnded)));
    if (ran.lived.end === 'killed') life.kills.push(ran.effects.at(-1) ?? '');
    else if (!ran.hasEnded && !mayFail(ran))
      problems.push(`run ${run + 1} of step ${index + 1} ended with ${endOf(ran)}`);
    if (problems.length > 0) return;
    if (ran.hasEnded && run >= disturbances.length) return checkEnd(life, step, index, ran);
  }
  problems.push(`step ${index + 1} did not come to its end in ${RUNS_MAX} runs`);
};

const checkEnd = async (life: Life, step: Step, index: number, ran: Ran): Promise<void> => {
  const { world, plan, calm, model, folder, problems } = life;
  if (step.records === 'each as stated') model.ended(step.sales);
  if (step.does === 'lock') await folder.freeze();
  const rows = await world.ledger(
    'select * from transactions order by kind, length(transaction_id), transaction_id',
  );
  if (step.records === 'each as stated') problems.push(...model.problems(recordsIn(rows)));
  if (step.records === 'with corrections')
    problems.push(
      ...correctedProblems(
        plan.story.steps.map(({ sales }) => sales),
        rows,
      ),
    );
  if (!life.isStrict) return;
  const evidence = step.hasBooks ? await folderState(world.output) : ran.evidence;
  problems.push(...differences(evidence, calm[index]?.evidence ?? new Map()));
};

const conditionsOf = (
  { faultPercent }: Plan,
  disturbance: Disturbance | undefined,
  run: number,
  effects: number,
): Conditions => {
  const weather = { percent: run < CALM_AFTER ? faultPercent : 0 };
  if (disturbance === undefined) return { weather };
  const at = 1 + Math.floor((effects * disturbance.thousandth) / 1_000);
  if (disturbance.does === 'outage') return { weather: { ...weather, outFrom: Math.ceil(at / 4) } };
  return { weather, blow: { ...disturbance, at } };
};

const EXPECTED = new Set(['E_SERVICE_UNAVAILABLE', 'E_DATABASE_STORAGE', 'E_DISK_FAILED', 'E_OUTPUT_FULL']);

const mayFail = ({ lived }: Ran): boolean =>
  lived.end === 'failed' && EXPECTED.has(designedError(lived.error)?.code ?? '');

const endOf = ({ lived, effects, hasEnded }: Ran): string => {
  if (lived.end === 'killed') return `killed at effect ${effects.length}, ${effects.at(-1)}`;
  if (hasEnded) return `its end, ${effects.length} effects`;
  const error = lived.end === 'failed' ? lived.error : undefined;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** Statements of locks say when they were made. */
const isTimeless = (path: string): boolean => !/\/lock(-books\.ndjson\.gz|\.json)$/.test(path);

const differences = (
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): readonly string[] =>
  [...new Set([...found.keys(), ...expected.keys()])]
    .filter((path) => isTimeless(path) && found.get(path) !== expected.get(path))
    .map((path) => `${path} is not as in the undisturbed life`);
