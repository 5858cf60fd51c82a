import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { command } from './command.ts';
import { inFolder, type Measured } from './cost.ts';
import { OCTOBER } from './month/draw-order.ts';
import { writeMonth } from './month/write-month.ts';
import { print } from './served.ts';
import { beside, bySecond, machine } from './tell.ts';

/**
 * `npm run bench [-- --adverse] [-- --orders 10000,100000]`: whole closes by the built command, and the second close
 * of the same month, which changes nothing, beside a plain Python script on the same files. Each is a process of its own.
 */
const { values: options } = parseArgs({
  options: {
    adverse: { type: 'boolean', default: false },
    orders: { type: 'string', default: '10000,100000' },
  },
});
const place = (path: string): string => new URL(path, import.meta.url).pathname;

/** Closes October of a folder with a month. */
const closeOf = async (part: string, folder: string, rows: number): Promise<Measured> => {
  const { code, cost } = await command(
    ['close', '2026-10', '--quiet', '--config', join(folder, 'tieout.yaml')],
    {},
  );
  if (code === null || code > 1) throw new Error(`the close ended with ${code}`);
  return { part, rows, unit: 'orders', ...cost };
};

/** The Python that has XlsxWriter, if one has. */
const python = ['/usr/bin/python3', 'python3'].find((candidate) => {
  try {
    execFileSync(candidate, ['-c', 'import xlsxwriter'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

const rivalOf = async (folder: string): Promise<Measured | undefined> => {
  const asked = promisify(execFile)(python ?? 'python3', [place('rival/close.py'), folder]);
  return asked.then(({ stdout }) => JSON.parse(stdout) as Measured).catch(() => undefined);
};

print(`${machine()}, ${python === undefined ? 'no XlsxWriter' : 'Python with XlsxWriter'}`);
for (const orders of options.orders.split(',').map(Number))
  await inFolder(async (folder) => {
    await writeMonth(folder, orders, options.adverse ? { ...OCTOBER, mistakesInThousand: 500 } : OCTOBER);
    const whole = await closeOf('close', folder, orders);
    print(bySecond(whole));
    print(bySecond(await closeOf('close, second run', folder, orders)));
    const rival = await rivalOf(folder);
    if (rival) print(bySecond(rival));
    const ratio = rival ? `of the rival's cost: ${beside(whole, rival)}.` : 'no rival here';
    print(`${orders.toLocaleString('en-US')} orders, ${ratio}`);
  });
