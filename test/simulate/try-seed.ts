import { isDeepStrictEqual } from 'node:util';
import { seeded } from '../hostile/random.ts';
import { randomHistory, type Step } from '../ways/random-history.ts';
import type { State, World } from './world.ts';

/** So many seeds in a row are lives of one history. */
export const SEEDS_PER_HISTORY = 20;

export type Tried = {
  readonly kills: readonly string[];
  readonly problems: readonly string[];
};
export type TrySeed = (seed: number) => Promise<Tried>;

/** A command of a history as it is when nothing disturbs it. */
type Calm = {
  readonly step: Exclude<Step, { does: 'export' }>;
  /** The name of the copy of the disk before it. */
  readonly disk: string;
  readonly before: State;
  readonly after: State;
  readonly effects: number;
};

/** Live one command of a history killed, as each seed draws it, and compare the end with the history undisturbed. */
export const seedTrier = (world: World): TrySeed => {
  let last = 0;
  let commands: readonly Calm[] = [];
  return async (seed) => {
    const history = Math.ceil(seed / SEEDS_PER_HISTORY);
    const isRemote = history % 2 === 0;
    if (history !== last) commands = await calmLife(world, history, isRemote);
    last = history;
    const random = seeded(seed * 104_729);
    const { step, disk, before, after, effects } = random.pick(commands);
    const kills: string[] = [];
    const problems: string[] = [];
    await world.putBack(disk);
    for (let left = random.pick([1, 1, 2]); left > 0; left -= 1) {
      const kill = { at: 1 + random.below(effects), when: random.pick(['before', 'after'] as const) };
      const { isKilled, effects: names } = await world.run(step, isRemote, kill);
      if (!isKilled) continue;
      kills.push(`${JSON.stringify(step)} ${kill.when} ${kill.at} of ${effects}, ${names.at(-1)}`);
      problems.push(...halfPublished(await world.state(), before, after));
    }
    await world.run(step, isRemote);
    const end = await world.state();
    for (const path of new Set([...Object.keys(end.files), ...Object.keys(after.files)]))
      if (end.files[path] !== after.files[path]) problems.push(`${path} is not as in the undisturbed life`);
    if (!isDeepStrictEqual(end.records, after.records)) problems.push('the records are others');
    return { kills, problems };
  };
};

const calmLife = async (world: World, history: number, isRemote: boolean): Promise<readonly Calm[]> => {
  const commands: Calm[] = [];
  await world.begin();
  for (const step of randomHistory(history)) {
    if (step.does === 'export') {
      await world.exportText(step.text);
      continue;
    }
    const disk = `history-${history}-${commands.length}`;
    await world.keep(disk);
    const before = await world.state();
    const { effects } = await world.run(step, isRemote);
    commands.push({ step, disk, before, after: await world.state(), effects: effects.length });
  }
  return commands;
};

/** Published folders of which the files are neither those before nor those after the command; those with a dot in front are on their way. */
const halfPublished = (now: State, before: State, after: State): readonly string[] => {
  const folders = (state: State) =>
    Map.groupBy(
      Object.entries(state.files).filter(([path]) => /^shop\//.test(path) && !path.includes('/.')),
      ([path]) => path.split('/')[1] ?? '',
    );
  const were = folders(before);
  const will = folders(after);
  return [...folders(now)].flatMap(([name, files]) =>
    isDeepStrictEqual(files, were.get(name)) || isDeepStrictEqual(files, will.get(name))
      ? []
      : [`the published folder ${name} is neither as it was nor as it will be`],
  );
};
