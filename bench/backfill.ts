import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type FilingPeriod, monthsOf, parsePeriod } from '../src/kernel/period.ts';
import { filesOf } from '../test/support/tieout.ts';
import { command } from './command.ts';
import { type Cost, inFolder, type Measured } from './cost.ts';
import { writeExports, writeSeller } from './month/write-month.ts';
import { print } from './served.ts';
import { beside, bySecond, machine } from './tell.ts';

/**
 * `npm run bench:backfill [-- --months 36 --orders 1000 --kills 6]`: the months of a range closed one by
 * one, and by one backfill; then by one that is killed again and again. All of them must write the same files. `--orders`
 * is that of each month.
 */
const { values: options } = parseArgs({
  options: {
    months: { type: 'string', default: '36' },
    orders: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '6' },
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
  const first = new Date(`${LAST}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - count + 1);
  const period = parsePeriod(`${first.toISOString().slice(0, 7)}..${LAST}`);
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

type Files = ReadonlyMap<string, Buffer>;
type Run = (args: readonly string[], killAfterMs?: number) => Promise<Cost>;

/** Does some runs in a folder of their own with the same exports; their costs together, and the files they wrote. */
const measured = async (
  exports: string,
  part: string,
  work: (run: Run) => Promise<void>,
): Promise<{ readonly measured: Measured; readonly files: Files }> => {
  const total = {
    part,
    rows: months * orders,
    unit: 'orders',
    wallMs: 0,
    cpuMs: 0,
    peakMb: 0,
  };
  let files: Files = new Map();
  await inFolder(async (folder) => {
    for (const name of readdirSync(exports)) linkSync(join(exports, name), join(folder, name));
    const output = join(folder, 'out');
    const about = ['--quiet', '--config', join(folder, 'tieout.yaml'), '--output', output];
    await work(async (args, killAfterMs) => {
      const how = killAfterMs === undefined ? {} : { killAfterMs };
      const { code, cost } = await command([...args, ...about], how);
      if (code !== null && code > 1) throw new Error(`${args.join(' ')} ended with ${code}`);
      total.wallMs += cost.wallMs;
      total.cpuMs += cost.cpuMs;
      total.peakMb = Math.max(total.peakMb, cost.peakMb);
      return cost;
    });
    files = await filesOf(output);
  });
  print(bySecond(total));
  return { measured: total, files };
};

const BACKFILL = ['backfill', range.label];

/** The book over the range is the backfill's own: a close does not write it. */
const differing = (one: Files, other: Files): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => !path.includes('backfill-') && !isDeepStrictEqual(one.get(path), other.get(path)),
  );

print(machine());
await inFolder(async (exports) => {
  await drawExports(exports);
  const single = await measured(exports, `${months} closes`, async (run) => {
    for (const { label } of whole) await run(['close', label]);
  });
  const compared = async (part: string, work: (run: Run) => Promise<void>): Promise<Measured> => {
    const own = await measured(exports, part, work);
    const others = differing(single.files, own.files);
    print(`${part}: ${beside(own.measured, single.measured)} of the months one by one`);
    print(others.length === 0 ? 'the same files' : `OTHER FILES: ${others.join(', ')}`);
    if (others.length > 0) process.exitCode = 1;
    return own.measured;
  };
  const { wallMs } = await compared('one backfill', async (run) => {
    await run(BACKFILL);
  });
  if (kills === 0) return;
  await compared(`killed ${kills} times`, async (run) => {
    for (let kill = 1; kill <= kills; kill += 1) await run(BACKFILL, wallMs / (kills + 1));
    await run(BACKFILL);
  });
});
