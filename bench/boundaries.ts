import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accept } from '../src/contract/accept.ts';
import { TaxRequest } from '../src/contract/tax-request.ts';
import { calendarDate } from '../src/kernel/calendar.ts';
import { importContent } from '../src/service/content/import/import-content.ts';
import { loadContent } from '../src/service/content/load-content.ts';
import { calculateTax } from '../src/service/engine/calculate-tax.ts';
import { addressIn, drawer, STATE, writeBoundaryFile } from './boundary-lines.ts';

/**
 * `npm run bench:boundaries [megabytes]`: a boundary file as large as the largest official one; what its import takes,
 * and how fast addresses are looked up in it. Each part is measured in a process of its own.
 */
const MB = 1_000_000;
const ON = calendarDate('2026-11-21');
const LOOKUPS = 200_000;
const CALCULATIONS = 50_000;

const tell = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

const importInto = async (folder: string, path: string): Promise<void> => {
  const start = performance.now();
  await importContent(path, folder, { on: ON });
  const seconds = (performance.now() - start) / 1_000;
  const peak = process.resourceUsage().maxRSS / 1_024;
  tell(
    `import of ${path.split('/').at(-1)}: ${seconds.toFixed(1)} s (${(process.cpuUsage().user / MB).toFixed(1)} s of processor), peak ${peak.toFixed(0)} MB`,
  );
};

/** By processor time, which other work on the machine changes least. */
const perSecond = (count: number, work: (index: number) => void): string => {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) work(index);
  const { user, system } = process.cpuUsage(before);
  return `${grouped((count * MB) / (user + system))} a second of processor`;
};

const load = (folder: string) => {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const content = loadContent(folder);
  const [ms, bytes] = [performance.now() - start, process.memoryUsage().rss - before];
  tell(`content ${content.version}: loaded in ${ms.toFixed(0)} ms and ${(bytes / MB).toFixed(0)} MB`);
  return content;
};

const lookUp = (folder: string): void => {
  const content = load(folder);
  const index = content.boundaries.get(STATE.code);
  if (!index) throw new Error('the index is missing');
  const draw = drawer(2);
  const zips = Array.from({ length: STATE.zips }, (_, zip) => zip).filter((zip) =>
    content.zips.has(String(STATE.firstZip + zip)),
  );
  const addresses = Array.from({ length: LOOKUPS }, () => addressIn(zips[draw(zips.length)] ?? 0, draw));
  const lookUps = (what: string, ways: { readonly plus4: boolean; readonly street: boolean }): void => {
    const found = new Map<string, number>();
    const rate = perSecond(LOOKUPS, (at) => {
      const { zip = '', plus4, street = '' } = addresses[at] ?? {};
      const { hit } = index.find(zip, ways.plus4 ? plus4 : undefined, ways.street ? street : '', ON);
      const precision = hit?.precision ?? 'none';
      found.set(precision, (found.get(precision) ?? 0) + 1);
    });
    const counts = [...found].map(([precision, count]) => `${precision} ${grouped(count)}`);
    tell(`${what}: ${rate}; ${counts.join(', ')}`);
  };
  lookUps('by street', { plus4: false, street: true });
  lookUps('by ZIP+4', { plus4: true, street: false });
  lookUps('by ZIP', { plus4: false, street: false });
  const requests = addresses.slice(0, CALCULATIONS).map(({ zip, plus4, street }) =>
    accept(TaxRequest, {
      to_country: 'US',
      to_state: STATE.code,
      to_zip: `${zip}-${plus4}`,
      to_street: street,
      nexus_addresses: [{ country: 'US', state: STATE.code }],
      shipping: 5,
      line_items: [{ unit_price: 100 }],
    }),
  );
  const rate = perSecond(CALCULATIONS, (at) => {
    const request = requests[at];
    if (request) calculateTax({ request, seller: { nexus: [] }, content, asOf: ON });
  });
  tell(`calculations, each for another address: ${rate}`);
};

const measure = (): void => {
  const parent = mkdtempSync(join(tmpdir(), 'boundaries-'));
  const apart = (...args: readonly string[]): void => {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`${args[0]} failed`);
  };
  try {
    const boundaries = join(parent, `${STATE.code}B2026Q4AUG15.csv`);
    const content = join(parent, 'content');
    const lines = writeBoundaryFile(boundaries, Number(process.argv[2] ?? 557) * MB);
    tell(`file: ${grouped(statSync(boundaries).size / MB)} MB, ${grouped(lines)} lines`);
    apart('import', content, boundaries);
    const index = join(content, 'history', '1', `boundaries-${STATE.code}.sqlite`);
    tell(`index: ${grouped(statSync(index).size / MB)} MB`);
    apart('look-up', content);
  } finally {
    rmSync(parent, { recursive: true });
  }
};

const [part = '', folder = '', path = ''] = process.argv.slice(2);
if (part === 'import') await importInto(folder, path);
else if (part === 'look-up') lookUp(folder);
else measure();
