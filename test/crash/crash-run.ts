import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunOptions } from '../support/tieout.ts';
import type { Settings } from '../support/write-month.ts';
import { closeShop } from './close-shop.ts';
import { DISK_FOLDER, losePower, settleDisk } from './disk.ts';
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
  /** How often a database went back to what the disk had of it. */
  readonly setBack: number;
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
  /** Whether what the disk was not asked to take is lost with the process. */
  readonly power?: boolean;
};

const PRELOAD = new URL('./preload.ts', import.meta.url).href;

/** Kill closes by seeds, run them again until they are complete, and compare with one that no one killed. */
export const crashRun = async ({ starts, newUrl, power = false }: Options) => {
  const place = await mkdtemp(join(tmpdir(), 'tieout-crash-'));
  const baselines = new Map<Start, Promise<Baseline>>();

  /** Where its databases are. */
  const settled = async (
    folder: string,
  ): Promise<{ readonly settings: Settings; readonly ledger: string }> => {
    if (newUrl === undefined)
      return { settings: {}, ledger: `sqlite:${join(folder, '.tieout', 'ledger.db')}` };
    const ledger = await newUrl();
    return { settings: { databases: { ledger } }, ledger };
  };

  const measured = async (start: Start): Promise<Baseline> => {
    const template = await mkdtemp(join(place, 'start-'));
    const whole = await mkdtemp(join(place, 'whole-'));
    const tallyFile = join(place, `tally-${starts.indexOf(start)}.json`);
    await start.prepare(template, {});
    await cp(template, whole, { recursive: true });
    const { settings, ledger } = await settled(whole);
    if (newUrl !== undefined) await start.prepare(whole, settings);
    const before = await publishedIn(whole, start.period);
    const options = { node: ['--import', PRELOAD], env: { [TALLY_FILE]: tallyFile } };
    const { code, stderr } = await closeShop(whole, options, start.period);
    if (stderr !== '') throw new Error(`the close that no one killed ended with ${code}: ${stderr}`);
    return {
      code,
      template,
      before,
      after: await outcomeOf(whole, ledger),
      published: await publishedIn(whole, start.period),
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
    const { period } = begin;
    const baseline = await baselineOf(begin);
    const kills = killPlan(seed, baseline.tally);
    const folder = join(place, `seed-${seed}`);
    await mkdir(folder);
    await cp(baseline.template, folder, { recursive: true });
    const { settings, ledger } = await settled(folder);
    if (newUrl !== undefined) await begin.prepare(folder, settings);
    const disk = power ? join(place, `disk-${seed}`) : undefined;
    const { killed, setBack, complaint } = await endured(folder, kills, { baseline, disk, period });
    const found = complaint ?? differenceOf(await outcomeOf(folder, ledger), baseline.after);
    if (found === undefined) await rm(folder, { recursive: true });
    return {
      seed,
      start: begin.name,
      kills,
      killed,
      setBack,
      ...(found !== undefined && { complaint: found }),
    };
  };

  return { trySeed, remove: () => rm(place, { recursive: true, force: true }) };
};

type Trial = {
  readonly baseline: Baseline;
  /** Where it is kept what the disk has taken, when the power goes. */
  readonly disk: string | undefined;
  readonly period: string | undefined;
};

/** Close with each kill in turn, and a last time without. */
const endured = async (folder: string, kills: readonly Kill[], { baseline, disk, period }: Trial) => {
  const killed: string[] = [];
  let setBack = 0;
  for (const kill of [...kills, undefined]) {
    if (disk !== undefined) await settleDisk(folder, disk);
    const options = kill === undefined ? {} : withKill(kill, disk);
    const { code, signal, stdout, stderr } = await closeShop(folder, options, period);
    if (signal === 'SIGKILL' && kill !== undefined) {
      killed.push(lastStageOf(stdout));
      if (disk !== undefined) setBack += await losePower(folder, disk);
    } else if (code !== baseline.code || stderr !== '')
      return { killed, setBack, complaint: `ended with ${code}: ${stderr}` };
    const seen = await publishedIn(folder, period);
    const isWhole = [{}, baseline.before, baseline.published].some((state) => isDeepStrictEqual(seen, state));
    if (!isWhole) return { killed, setBack, complaint: `half a folder has its name: ${Object.keys(seen)}` };
  }
  return { killed, setBack };
};

const lastStageOf = (stdout: string): string => [...stdout.matchAll(/^([a-z-]+): /gm)].at(-1)?.[1] ?? 'start';

const withKill = (kill: Kill, disk: string | undefined): RunOptions => {
  const isPoint = 'operation' in kill;
  const env = {
    ...(isPoint && { [KILL_POINT]: JSON.stringify(kill) }),
    ...(disk !== undefined && { [DISK_FOLDER]: disk }),
  };
  return {
    node: ['--import', PRELOAD],
    env,
    ...(!isPoint && {
      killWhen: (printed: string) => printed.includes(kill.stage),
      killAfterMs: kill.milliseconds,
    }),
  };
};

const differenceOf = (found: Outcome, expected: Outcome): string | undefined => {
  const paths = new Set([...Object.keys(found.files), ...Object.keys(expected.files)]);
  const files = [...paths].filter((path) => found.files[path] !== expected.files[path]);
  const lost = expected.records.filter((record) => !found.records.includes(record));
  const strange = found.records.filter((record) => !expected.records.includes(record));
  if (files.length + lost.length + strange.length === 0 && found.records.length === expected.records.length)
    return undefined;
  return JSON.stringify({ files, lost, strange, records: found.records.length });
};
