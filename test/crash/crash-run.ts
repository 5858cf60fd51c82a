import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { RunOptions } from '../support/tieout.ts';
import type { Settings } from '../support/write-month.ts';
import { closeShop } from './close-shop.ts';
import { type Kill, killPlan } from './kill-plan.ts';
import { KILL_POINT, TALLY_FILE, type Tally } from './kill-point.ts';
import { type Outcome, outcomeOf, publishedIn } from './outcome.ts';
import type { Start } from './starts.ts';

/** What became of one seed; without a complaint it ended as if nothing had happened. */
export type SeedResult = {
  readonly seed: number;
  readonly start: string;
  readonly kills: readonly Kill[];
  /** For each kill that came before the close had ended: the stage that had been reported last, `start` for none. */
  readonly killed: readonly string[];
  readonly complaint?: string;
};

type Baseline = {
  /** How a close that no one kills ends. */
  readonly code: number | null;
  readonly template: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Outcome;
  readonly published: Readonly<Record<string, string>>;
  readonly tally: Tally;
};

type Options = {
  readonly starts: readonly Start[];
  /** Addresses of new databases of a server; without it they are files beside the configuration. */
  readonly newUrl?: () => Promise<string>;
  /** Whether further threads have a share in the work. */
  readonly threads?: boolean;
};

const THREADS_COMMAND = fileURLToPath(new URL('../support/threads-command.ts', import.meta.url));
const PRELOAD = new URL('./preload.ts', import.meta.url).href;

/** Kill closes by seeds, run them again until they are complete, and compare with one that no one killed. */
export const crashRun = async ({ starts, newUrl, threads = false }: Options) => {
  const place = await mkdtemp(join(tmpdir(), 'tieout-crash-'));
  const start = threads ? { start: THREADS_COMMAND } : {};
  const baselines = new Map<Start, Promise<Baseline>>();

  /** Where its databases are. */
  const settled = async (
    folder: string,
  ): Promise<{ readonly settings: Settings; readonly ledger: string }> => {
    if (newUrl === undefined)
      return { settings: {}, ledger: `sqlite:${join(folder, '.tieout', 'ledger.db')}` };
    const ledger = await newUrl();
    return { settings: { databases: { ledger, workspace: await newUrl() } }, ledger };
  };

  const measured = async (start: Start): Promise<Baseline> => {
    const template = await mkdtemp(join(place, 'start-'));
    const whole = await mkdtemp(join(place, 'whole-'));
    const tallyFile = join(place, `tally-${starts.indexOf(start)}.json`);
    await start.prepare(template, {});
    await cp(template, whole, { recursive: true });
    const { settings, ledger } = await settled(whole);
    if (newUrl !== undefined) await start.prepare(whole, settings);
    const before = await publishedIn(whole);
    const { code, stderr } = await closeShop(whole, {
      ...start,
      node: ['--import', PRELOAD],
      env: { [TALLY_FILE]: tallyFile },
    });
    if (stderr !== '') throw new Error(`the close that no one killed ended with ${code}: ${stderr}`);
    return {
      code,
      template,
      before,
      after: await outcomeOf(whole, ledger),
      published: await publishedIn(whole),
      tally: JSON.parse(await readFile(tallyFile, 'utf8')) as Tally,
    };
  };

  const baselineOf = (start: Start): Promise<Baseline> => {
    const known = baselines.get(start) ?? measured(start);
    baselines.set(start, known);
    return known;
  };

  const trySeed = async (seed: number): Promise<SeedResult> => {
    const begin = starts[seed % starts.length] as Start;
    const baseline = await baselineOf(begin);
    const kills = killPlan(seed, baseline.tally, threads);
    const folder = join(place, `seed-${seed}`);
    await mkdir(folder);
    await cp(baseline.template, folder, { recursive: true });
    const { settings, ledger } = await settled(folder);
    if (newUrl !== undefined) await begin.prepare(folder, settings);
    const { killed, complaint } = await endured(folder, kills, baseline, start);
    const found = complaint ?? differenceOf(await outcomeOf(folder, ledger), baseline.after);
    if (found === undefined) await rm(folder, { recursive: true });
    return { seed, start: begin.name, kills, killed, ...(found !== undefined && { complaint: found }) };
  };

  return { trySeed, remove: () => rm(place, { recursive: true, force: true }) };
};

/** Close with each kill in turn, and a last time without. */
const endured = async (
  folder: string,
  kills: readonly Kill[],
  baseline: Baseline,
  start: Pick<RunOptions, 'start'>,
) => {
  const killed: string[] = [];
  for (const kill of [...kills, undefined]) {
    const { code, signal, stdout, stderr } = await closeShop(folder, {
      ...start,
      ...(kill !== undefined && withKill(kill)),
    });
    if (signal === 'SIGKILL' && kill !== undefined) killed.push(lastStageOf(stdout));
    else if (code !== baseline.code || stderr !== '')
      return { killed, complaint: `ended with ${code}: ${stderr}` };
    const seen = await publishedIn(folder);
    const isWhole = [{}, baseline.before, baseline.published].some((state) => isDeepStrictEqual(seen, state));
    if (!isWhole) return { killed, complaint: `half a folder has its name: ${Object.keys(seen)}` };
  }
  return { killed };
};

const lastStageOf = (stdout: string): string => [...stdout.matchAll(/^([a-z-]+): /gm)].at(-1)?.[1] ?? 'start';

const withKill = (kill: Kill): RunOptions =>
  'operation' in kill
    ? { node: ['--import', PRELOAD], env: { [KILL_POINT]: JSON.stringify(kill) } }
    : { killWhen: (printed) => printed.includes(kill.stage), killAfterMs: kill.milliseconds };

const differenceOf = (found: Outcome, expected: Outcome): string | undefined => {
  const paths = new Set([...Object.keys(found.files), ...Object.keys(expected.files)]);
  const files = [...paths].filter((path) => found.files[path] !== expected.files[path]);
  const lost = expected.records.filter((record) => !found.records.includes(record));
  const strange = found.records.filter((record) => !expected.records.includes(record));
  if (files.length + lost.length + strange.length === 0 && found.records.length === expected.records.length)
    return undefined;
  return JSON.stringify({ files, lost, strange, records: found.records.length });
};
