import { createHash } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type FilingPeriod, monthsOf, parsePeriod } from '../src/kernel/period.ts';
import { command, type Ran } from './command.ts';
import { type Cost, inFolder, type Measured } from './cost.ts';
import { writeExports, writeSeller } from './month/write-month.ts';
import { print } from './served.ts';
import { table } from './tell.ts';

/**
 * `npm run bench:backfill [-- --months 36 --orders 1000 --parallel 1,4 --kills 6]`: the months of a range closed one by one, and by
 * one backfill; then by one that is killed again and again. All of them must write the same files. `--orders` is that of each month.
 */
const { values: options } = parseArgs({
  options: {
    months: { type: 'string', default: '36' },
    orders: { type: 'string', default: '1000' },
    parallel: { type: 'string', default: '1,4' },
    kills: { type: 'string', default: '6' },
    budget: { type: 'string' },
  },
});
const LAST = '2026-10';
const months = Number(options.months);
const orders = Number(options.orders);
const kills = Number(options.kills);
const range = rangeOf(months);
const whole = monthsOf(range);

/** So many months that end with the last one. */
function rangeOf(count: number): FilingPeriod {
  const last = new Date(`${LAST}-01T00:00:00Z`);
  last.setUTCMonth(last.getUTCMonth() - count + 1);
  const period = parsePeriod(`${last.toISOString().slice(0, 7)}..${LAST}`);
  if (!period) throw new Error(`${count} months are no range`);
  return period;
}

const drawExports = async (folder: string): Promise<void> => {
  writeSeller(folder);
  for (const [index, { label, first, last }] of whole.entries()) {
    const month = { first, last, ordersBefore: index * orders };
    await writeExports(folder, { orders, month, name: `-${label}` });
  }
};

/** The digest of each file that was published, by its path; not of the book over the range, which a close does not write. */
const published = (folder: string): Map<string, string> => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes('backfill-'));
  return new Map(
    files.map((path) => [
      relative(folder, path),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  );
};

const costs: Measured[] = [];
const told = (part: string, cost: Cost): void => {
  costs.push({ part, rows: months * orders, unit: 'orders', ...cost });
  print(
    `${part}: ${cost.wallMs} ms, ${cost.cpuMs} ms of processor, peak ${cost.peakMb} MB, load ${loadavg()[0]?.toFixed(1)}`,
  );
};

const sumOf = (all: readonly Cost[]): Cost => ({
  wallMs: all.reduce((sum, { wallMs }) => sum + wallMs, 0),
  cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  peakMb: Math.max(...all.map(({ peakMb }) => peakMb)),
});

/** What a run wrote in a folder of its own with the same exports. */
const inCopy = async (exports: string, work: (run: Run) => Promise<void>): Promise<Map<string, string>> => {
  let files = new Map<string, string>();
  await inFolder(async (folder) => {
    for (const name of readdirSync(exports)) linkSync(join(exports, name), join(folder, name));
    const about = ['--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')];
    const budget = options.budget === undefined ? [] : ['--max-calculations', options.budget];
    await work(async (args, how) => {
      const ran = await command([...args, ...budget, ...about], how);
      if (ran.code !== null && ran.code > 1) throw new Error(`${args.join(' ')} ended with ${ran.code}`);
      return ran;
    });
    files = published(join(folder, 'out'));
    print(`   workspace and ledger ${megabytes(join(folder, '.tieout'))} MB`);
  });
  return files;
};
type Run = (args: readonly (string | number)[], how?: { readonly killAfterMs: number }) => Promise<Ran>;

const megabytes = (folder: string): number =>
  Math.round(readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6);

const backfill = (parallel: number | string) => ['backfill', range.label, '--quiet', '--parallel', parallel];

print(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
);
await inFolder(async (exports) => {
  await drawExports(exports);
  const wanted = await inCopy(exports, async (run) => {
    const each: Cost[] = [];
    for (const { label } of whole) each.push((await run(['close', label, '--quiet'])).cost);
    print(`   each, ms of processor: ${each.map(({ cpuMs }) => cpuMs).join(' ')}`);
    told(`${months} closes, one by one`, sumOf(each));
  });
  const same = (part: string, files: ReadonlyMap<string, string>): void => {
    const other = [...new Set([...wanted.keys(), ...files.keys()])].filter(
      (path) => files.get(path) !== wanted.get(path),
    );
    print(
      `${part}: ${other.length === 0 ? `the same ${wanted.size} files` : `OTHER FILES: ${other.sort().join(', ')}`}`,
    );
    if (other.length > 0) process.exitCode = 1;
  };
  for (const parallel of options.parallel.split(',')) {
    const part = `backfill --parallel ${parallel}`;
    const files = await inCopy(exports, async (run) => told(part, (await run(backfill(parallel))).cost));
    same(part, files);
  }
  if (kills === 0) return;
  const part = `backfill killed ${kills} times`;
  const between = (costs.at(-1)?.wallMs ?? 0) / (kills + 1);
  const files = await inCopy(exports, async (run) => {
    const ran: Cost[] = [];
    for (let kill = 1; kill <= kills; kill += 1)
      ran.push((await run(backfill(kill % 2 === 0 ? 4 : 1), { killAfterMs: between })).cost);
    ran.push((await run(backfill(1))).cost);
    told(part, { ...sumOf(ran), cpuMs: ran.at(-1)?.cpuMs ?? 0 });
  });
  same(part, files);
});
const [sum] = costs;
for (const line of table(costs)) print(line);
for (const { part, wallMs, cpuMs } of costs.slice(1))
  print(
    `${part}: ${(wallMs / (sum?.wallMs ?? 1)).toFixed(2)} of the sum of its months on the clock, ${(cpuMs / (sum?.cpuMs ?? 1)).toFixed(2)} of the processor`,
  );
