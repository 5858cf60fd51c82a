import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { writeMonth } from './month/write-month.ts';
import { inFolder, type Measured } from './parts/cost.ts';
import { print } from './served.ts';
import { bySecond, ratioLines, table } from './tell.ts';

/**
 * `npm run bench [-- --quick] [-- --orders 10000,100000]`: what each part costs, each in a process of its own; then
 * whole closes beside a plain Python script on the same files, in turn. Without `--quick` the figures go into
 * docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, orders: { type: 'string' } },
});
const run = promisify(execFile);
const place = (path: string): string => new URL(path, import.meta.url).pathname;

const PARTS = options.quick
  ? ({ engine: 20_000, extract: 2_000, store: 10_000, service: 2_000, workbook: 10_000 } as const)
  : ({ engine: 400_000, extract: 100_000, store: 100_000, service: 100_000, workbook: 200_000 } as const);
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
const part = (name: string, ...args: readonly (string | number)[]): Promise<readonly Measured[]> =>
  linesOf(process.execPath, [place(`parts/${name}.ts`), ...args.map(String)]);

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

const measuredAll: Measured[] = [];
const told = (measured: readonly Measured[]): void => {
  measuredAll.push(...measured);
  for (const one of measured) print(bySecond(one));
};

print(
  `${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
);
for (const [name, size] of Object.entries(PARTS)) told(await part(name, size));
const ratios: string[] = [];
for (const orders of ORDERS) {
  await inFolder(async (folder) => {
    await writeMonth(folder, orders);
    const ours = await part('close', folder, orders);
    const rival = await rivalOf(folder);
    const again = await part('close', folder, orders, 'again');
    told([...ours, ...rival, ...again.slice(-1).map((one) => ({ ...one, part: 'close, second run' }))]);
    const lines = ratioLines(orders, ours.at(-1), rival[0]);
    ratios.push(...lines);
    for (const line of lines) print(line);
    rmSync(join(folder, 'rival.db'), { force: true });
  });
}

if (!options.quick) {
  const path = place('../docs/benchmarks.md');
  const text = readFileSync(path, 'utf8');
  const [before, rest = ''] = text.split('<!-- bench -->\n');
  const [, after = ''] = rest.split('<!-- end of bench -->\n');
  const versions = [
    `Node ${process.version}`,
    python === undefined ? 'no XlsxWriter' : 'Python with XlsxWriter',
  ];
  const about = `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}, ${versions.join(', ')}, ${new Date().toISOString().slice(0, 10)}, load ${loadavg()[0]?.toFixed(1)} at the end.`;
  const section = [about, '', ...table(measuredAll), '', ...ratios].join('\n');
  writeFileSync(path, `${before}<!-- bench -->\n${section}\n<!-- end of bench -->\n${after}`);
}
