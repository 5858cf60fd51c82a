import { execFile, execFileSync } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { inFolder, type Measured } from './cost.ts';
import { writeMonth } from './month/write-month.ts';
import { print } from './served.ts';
import { beside, bySecond, machine } from './tell.ts';

/**
 * `npm run bench [-- --quick] [-- --orders 10000,100000]`: whole closes, what each stage costs, and the second close of
 * the same month, beside a plain Python script on the same files, in turn. Each is a process of its own.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    orders: { type: 'string' },
  },
});
const run = promisify(execFile);
const place = (path: string): string => new URL(path, import.meta.url).pathname;

const USUAL = options.quick ? '2000' : '10000,100000';
const ORDERS = (options.orders ?? USUAL).split(',').map(Number);

/** Modules are compiled already, as they are in every run of the command but the first. */
const COMPILED = { ...process.env, NODE_COMPILE_CACHE: place('../node_modules/.cache/tieout') };

const linesOf = async (command: string, args: readonly string[]): Promise<readonly Measured[]> => {
  const { stdout } = await run(command, args, { env: COMPILED });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Measured);
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

print(`${machine()}, ${python === undefined ? 'no XlsxWriter' : 'Python with XlsxWriter'}`);
for (const orders of ORDERS)
  await inFolder(async (folder) => {
    await writeMonth(folder, orders);
    const ours = await closeOf(folder, orders);
    const [rival] = await rivalOf(folder);
    const again = await closeOf(folder, orders, 'again');
    for (const one of ours) print(bySecond(one));
    if (rival) print(bySecond(rival));
    for (const one of again.slice(-1)) print(bySecond({ ...one, part: 'close, second run' }));
    const whole = ours.at(-1);
    const ratio = whole && rival ? `of the rival's cost: ${beside(whole, rival)}.` : 'no rival here';
    print(`${orders.toLocaleString('en-US')} orders, ${ratio}`);
  });
