import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folderState } from './folder-watch.ts';
import type { Story } from './story.ts';
import type { Moment, World } from './world.ts';

/** What a step of a story comes to when nothing disturbs it. */
export type CalmStep = {
  readonly before: Moment;
  /** The moment before each of its effects; none of a step that writes workbooks. */
  readonly moments: readonly Moment[];
  readonly effects: number;
  /** Digests of what it says of each sale and in all, by the names of its files. */
  readonly evidence: ReadonlyMap<string, string>;
};

export type CalmLife = { readonly steps: readonly CalmStep[]; readonly problems: readonly string[] };

/** Live a story undisturbed, up to the first step that does not end as it should. */
export const calmLife = async (world: World, story: Story): Promise<CalmLife> => {
  const copies = join(world.folder, 'copies');
  await rm(copies, { recursive: true, force: true });
  await world.follow(true);
  const history = await world.begin(story, story.number);
  const steps: CalmStep[] = [];
  const problems: string[] = [];
  let hasFiles = false;
  for (const [index, step] of story.steps.entries()) {
    const before = await history.moment(hasFiles ? join(copies, `${index}`) : undefined);
    const moments: Moment[] = [];
    const keep = (moment: Moment): void => {
      moments.push(before.files ? { ...moment, files: before.files } : moment);
    };
    const ran = await history.run(step, { weather: { percent: 0 } }, step.hasBooks ? undefined : keep);
    const { lived, wrongCalls, hasEnded } = ran;
    problems.push(...wrongCalls.map((wrong) => `undisturbed: ${wrong}`));
    if (!hasEnded) problems.push(`undisturbed: step ${index + 1} ended with ${JSON.stringify(lived)}`);
    if (problems.length > 0) break;
    hasFiles ||= step.hasBooks;
    const evidence = step.hasBooks ? await folderState(world.output) : ran.evidence;
    steps.push({ before, moments, effects: ran.effects.length, evidence });
    history.pass(1_000);
  }
  await world.follow(false);
  return { steps, problems };
};
