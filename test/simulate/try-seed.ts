import { join } from 'node:path';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import { folderWatch } from './folder-watch.ts';
import { recordModel, recordsIn } from './model.ts';
import { type Disturbance, type Plan, planOf } from './plan.ts';
import {
  BeforeReport,
  type Conditions,
  type History,
  type Ports,
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

const PERIOD = '2026-10';
const RUNS_MAX = 12;
/** From this one on nothing disturbs a run any more. */
const CALM_AFTER = 8;

/** Live the plan of a seed undisturbed, then disturbed, and compare. */
export const trySeed = async (
  world: World,
  seed: number,
  tell: (line: string) => void = () => {},
): Promise<Tried> => {
  const plan = planOf(seed);
  const calm = await liveCalmly(world, plan);
  const kills: string[] = [];
  const problems: string[] = [];
  const model = recordModel();
  const history = await world.begin(plan);
  let runs = 0;
  let isStrict = true;
  let isLocked = false;
  const folder = folderWatch(join(world.output, 'shop', PERIOD), SIMULATED_BUILD);

  for (const [index, stretch] of plan.stretches.entries()) {
    await history.write(stretch.sales);
    if (!isLocked) model.began(stretch.sales);
    for (let run = 0; ; run += 1) {
      history.pass(plan.clockJumps[runs % plan.clockJumps.length] ?? 0);
      runs += 1;
      const disturbance = stretch.disturbances[run];
      const conditions = conditionsOf(plan, disturbance, run, calm[index]?.effects ?? 0);
      const ran = await history.run(conditions, close);
      tell(`export ${index + 1}, run ${run + 1}: ${JSON.stringify(conditions)} → ${endOf(ran)}`);
      problems.push(...ran.wrongCalls, ...(await folder.look()));
      const hasEnded = isEnd(ran);
      if (ran.lived.end === 'killed') kills.push(ran.effects.at(-1) ?? '');
      else if (!hasEnded && !mayFail(ran))
        problems.push(`run ${run + 1} of export ${index + 1} ended with ${endOf(ran)}`);
      if (stretch.isCutShort && run === 0 && !hasEnded) {
        isStrict = false;
        break;
      }
      if (hasEnded && run >= stretch.disturbances.length) {
        if (!isLocked) model.ended(stretch.sales);
        problems.push(...(await wrongRecords(world, model)));
        if (isStrict) problems.push(...differences(await figuresIn(world), calm[index]?.figures ?? []));
        if (stretch.locks) {
          await lockMonth(history);
          await folder.freeze();
          isLocked = true;
        }
        break;
      }
      if (run >= RUNS_MAX) {
        problems.push(`export ${index + 1} was not closed in ${RUNS_MAX} runs: ${endOf(ran)}`);
        break;
      }
    }
    if (problems.length > 0) break;
  }
  return { plan, runs, kills, problems };
};

const close = (ports: Ports): Promise<unknown> => monthlyClose.run(ports, { period: PERIOD });

const lockMonth = async (history: History): Promise<void> => {
  const wish = { period: PERIOD, who: 'simulation', openExceptions: 'a simulation' };
  const { lived } = await history.run({ weather: { percent: 0 } }, (ports) => lock.run(ports, wish));
  if (lived.end !== 'done') throw new Error('the month could not be locked', { cause: lived });
};

type Calm = { readonly effects: number; readonly figures: readonly string[] };

const liveCalmly = async (world: World, plan: Plan): Promise<readonly Calm[]> => {
  const history = await world.begin(plan);
  const calm: Calm[] = [];
  for (const { sales, locks } of plan.stretches) {
    await history.write(sales);
    const ran = await history.run({ weather: { percent: 0 } }, close);
    if (!isEnd(ran)) throw new Error(`an undisturbed run ended with ${endOf(ran)}`);
    calm.push({ effects: ran.effects.length, figures: await figuresIn(world) });
    if (locks) await lockMonth(history);
  }
  return calm;
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

const isEnd = ({ lived }: Ran): boolean =>
  lived.end === 'done' || (lived.end === 'failed' && lived.error instanceof BeforeReport);

const EXPECTED = new Set(['E_SERVICE_UNAVAILABLE', 'E_DATABASE_STORAGE', 'E_OUTPUT_FULL']);

const mayFail = ({ lived }: Ran): boolean =>
  lived.end === 'failed' && lived.error instanceof TieoutError && EXPECTED.has(lived.error.code);

const endOf = ({ lived, effects }: Ran): string => {
  if (lived.end === 'killed') return `killed at effect ${effects.length}, ${effects.at(-1)}`;
  if (lived.end === 'done') return `its end, ${effects.length} effects`;
  const { error } = lived;
  if (error instanceof BeforeReport) return `its end before the report, ${effects.length} effects`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const wrongRecords = async (
  world: World,
  model: ReturnType<typeof recordModel>,
): Promise<readonly string[]> =>
  model.problems(
    recordsIn(
      await world.ledger('select * from transactions order by kind, length(transaction_id), transaction_id'),
    ),
  );

/** What the close says of each sale: its figures, their reasons, and what was read back. */
const FIGURES = [
  'select * from reconciled order by key',
  'select key, digest, business_date, posting, refunded, outcome from sale order by key',
  'select key, sale_digest, basis, detail, calculation, alternatives, claims from sale_calculation order by key',
  'select * from recorded order by provider, kind, id',
  'select key, body_digest, state, detail from submission order by key',
  'select * from calculation order by digest',
];

const figuresIn = async (world: World): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (const query of FIGURES)
    for (const row of await world.workspace(query)) texts.push(JSON.stringify(row));
  return texts;
};

const differences = (found: readonly string[], expected: readonly string[]): readonly string[] => {
  const [isFound, isExpected] = [new Set(found), new Set(expected)];
  return [
    ...expected
      .filter((row) => !isFound.has(row))
      .map((row) => `not as in the undisturbed run, missing: ${row}`),
    ...found
      .filter((row) => !isExpected.has(row))
      .map((row) => `not as in the undisturbed run, found: ${row}`),
  ];
};
