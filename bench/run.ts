import { execFile, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { inFolder, type Measured } from './cost.ts';
import { writeMonth } from './month/write-month.ts';
import { print } from './served.ts';
import { bySecond, ratioLines, table } from './tell.ts';

/**
 * `npm run bench [-- --quick] [-- --orders 10000,100000]`: whole closes, what each stage costs, and the second close of
 * the same month, beside a plain Python script on the same files, in turn. Each is a process of its own.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, orders: { type: 'string' } },
});
const run = promisify(execFile);
const place = (path: string): string => new URL(path, import.meta.url).pathname;

const ORDERS = (options.orders ?? (options.quick ? '2000' : '10000,100000')).split(',').map(Number);

/** Modules are compiled already, as they are in every run of the command but the first. */
const COMPILED = { ...process.env, NODE_COMPILE_CACHE: place('../node_modules/.cache/tieout') };

const linesOf = async (command: string, args: readonly string[]): Promise<readonly Measured[]> => {
  const { stdout } = await run(command, args, { maxBuffer: 64 * 1024 * 1024, env: COMPILED });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Measured);
};
const closeOf = (folder: string, orders: number, ...how: readonly string[]): Promise<readonly Measured[]> =>
  linesOf(process.execPath, [place('close.ts'), folder, String(orders), ...how]);

/** The Python that has XlsxWriter, if one has. */
const python = ['/usr/bin/python3', 'python3'].find((candidate) => {
  try {
    execFileSync(candidate, ['-c', 'import xlsxwriter'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const rivalOf = async (folder: string): Promise<readonly Measured[]> =>
  linesOf(python ?? 'python3', [place('rival/close.py'), folder]).catch(() => []);

print(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.version}, ` +
    `${python === undefined ? 'no XlsxWriter' : 'Python with XlsxWriter'}, load ${loadavg()[0]?.toFixed(1)}`,
);
const measured: Measured[] = [];
const ratios: string[] = [];
for (const orders of ORDERS)
  await inFolder(async (folder) => {
    await writeMonth(folder, orders);
    const ours = await closeOf(folder, orders);
    const rival = await rivalOf(folder);
    const again = await closeOf(folder, orders, 'again');
    const all = [...ours, ...rival, ...again.slice(-1).map((one) => ({ ...one, part: 'close, second run' }))];
    measured.push(...all);
    ratios.push(...ratioLines(orders, ours.at(-1), rival[0]));
    for (const one of all) print(bySecond(one));
    rmSync(join(folder, 'rival.db'), { force: true });
  });
for (const line of ['', ...table(measured), '', ...ratios]) print(line);
