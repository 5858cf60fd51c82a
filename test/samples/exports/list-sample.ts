import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { formatPrice, moneyOfPrice, type Price, parsePrice, price } from '../../../src/kernel/money.ts';
import { tieout } from '../../support/tieout.ts';

export const EXPORTS = fileURLToPath(new URL('../../../samples/exports', import.meta.url));
const NO_EXPORT = new Set(['channel.yaml', 'expected.txt', 'README.md']);

/** What `tieout profile test --json` prints of a file that can be used. Amounts are decimal text. */
export type Trial = {
  readonly file: string;
  /** `id@version` */
  readonly profile: string;
  readonly header_line: number;
  readonly notices: readonly {
    readonly code: string;
    readonly message: string;
  }[];
  readonly totals: {
    readonly [Side in 'rows' | 'used' | 'ignored' | 'rejected']: number;
  } & {
    readonly columns: Readonly<
      Record<string, Readonly<Record<'all' | 'used' | 'ignored' | 'rejected', string>>>
    >;
  };
  readonly sales: readonly TrialSale[];
  readonly set_aside: readonly TrialAside[];
};

type Reasons = readonly { readonly code: string }[];

export type TrialSale = {
  readonly [Text in 'id' | 'record' | 'business_date' | 'tax_date' | 'currency']: string;
} & {
  readonly [Amount in 'amount' | 'shipping' | 'sales_tax' | 'marketplace_tax']: string;
} & {
  readonly kind: 'order' | 'refund';
  readonly reference: string | null;
  readonly line: number;
  readonly ship_to: {
    readonly country: string;
    readonly state: string;
    readonly zip: string;
  };
  readonly exemption_type: string | null;
  readonly tax_lines: readonly {
    readonly name: string;
    readonly amount: string;
  }[];
  readonly lines: readonly TrialLine[];
  readonly outcome: 'accepted' | 'warning' | 'review';
  readonly reasons: Reasons;
};

type TrialLine = {
  readonly quantity: number;
  readonly unit_price: string;
  readonly discount: string;
};

export type TrialAside = {
  readonly record: string;
  readonly line: number;
  readonly business_date: string | null;
  readonly outcome: 'ignored' | 'rejected';
  readonly reasons: Reasons;
};

/** What it prints of a file that is refused. */
export type FailedTrial = {
  readonly file: string;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly next_step: string;
  };
};

/** The exports of one sample. */
export const filesOf = (sample: string): readonly string[] =>
  readdirSync(join(EXPORTS, sample))
    .sort()
    .filter((name) => !NO_EXPORT.has(name));

/** What the exports of one sample become, read as a close reads them. */
export const trialsOf = async (sample: string): Promise<readonly (Trial | FailedTrial)[]> => {
  const folder = join(EXPORTS, sample);
  const settings: unknown = readdirSync(folder).includes('channel.yaml')
    ? parse(readFileSync(join(folder, 'channel.yaml'), 'utf8'))
    : {};
  return trialsIn(folder, filesOf(sample), settings as object);
};

/** What files of a folder become as the exports of one channel. */
export const trialsIn = async (
  folder: string,
  files: readonly string[],
  settings: { readonly profile?: string } = {},
): Promise<readonly (Trial | FailedTrial)[]> => {
  const { profile } = settings;
  const ownProfile = profile?.endsWith('.yaml') ? { profile: join(folder, profile) } : {};
  const configuration = {
    entity: 'tidewater',
    name: 'Tidewater Trading',
    timeZone: 'America/Los_Angeles',
    shipFrom: { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '9 Embarcadero West' },
    registrations: [{ state: 'CA', since: '2020-01-01' }],
    channels: [{ name: 'shop', files, ...settings, ...ownProfile }],
  };
  const place = await mkdtemp(join(tmpdir(), 'tieout-trial-'));
  try {
    const config = join(place, 'tieout.yaml');
    await writeFile(config, JSON.stringify(configuration));
    const paths = files.map((name) => join(folder, name));
    const { stdout, stderr } = await tieout(['profile', 'test', ...paths, '--config', config, '--json']);
    // Names as the folder has them, wherever it is.
    const told = JSON.parse(stdout.replaceAll(`${folder}/`, '')) as { files?: (Trial | FailedTrial)[] };
    if (told.files === undefined) throw new Error(`${stdout}${stderr}`);
    return told.files;
  } finally {
    await rm(place, { recursive: true });
  }
};

/** A price as a number, to calculate with. */
export const priceOf = (text: string): Price => {
  const read = parsePrice(text);
  if (read === undefined) throw new Error(`${text} is not a price`);
  return read;
};

/** Fails when the rows of a file, or the sums of its columns, are not those of what became of them. */
export const proveTotals = ({ file, totals: { columns, ...counts } }: Trial): void => {
  if (counts.used + counts.ignored + counts.rejected !== counts.rows)
    throw new Error(`${file}: rows were lost`);
  for (const [column, { all, used, ignored, rejected }] of Object.entries(columns)) {
    const sum = priceOf(used) + priceOf(ignored) + priceOf(rejected);
    if (sum !== priceOf(all)) throw new Error(`${file}: ${column} does not add up`);
  }
};

/** What a line comes to after its discount. */
const netOf = ({ quantity, unit_price, discount }: TrialLine): Price =>
  price(priceOf(unit_price) * quantity - priceOf(discount));

/** Whether a sale is recorded with the tax service. */
const isPosted = ({ outcome, ship_to, currency }: TrialSale): boolean =>
  outcome !== 'review' && ship_to.country === 'US' && currency === 'USD';

/** Fails when the lines and the shipping of a sale that is posted are not its amount, to the cent. */
export const proveSum = (sale: TrialSale): void => {
  if (!isPosted(sale) || sale.lines.length === 0) return;
  const lines = sale.lines.reduce((total, line) => total + netOf(line), 0);
  if (
    moneyOfPrice(price(lines + priceOf(sale.shipping))) !== moneyOfPrice(priceOf(sale.amount)) ||
    sale.lines.some(({ discount }) => priceOf(discount) < 0)
  )
    throw new Error(`${sale.id}: the lines and the shipping are not the amount`);
};

const COLUMNS = [
  'line',
  'record',
  'outcome',
  'reasons',
  'kind',
  'id',
  'day',
  'ship-to',
  'amount',
  'shipping',
  'tax',
  'marketplace tax',
  'exempt',
  'lines',
];

/** The listing of a sample as a bookkeeper reviews it: a table for each file, in the order of its lines. */
export const listingOf = (trials: readonly (Trial | FailedTrial)[]): string =>
  trials.map((trial) => ('error' in trial ? refusal(trial) : table(trial))).join('\n');

const refusal = ({ file, error }: FailedTrial): string =>
  `${file}\nrefused as ${error.code}: ${error.message}\n${error.next_step}\n`;

const table = ({ file, profile, header_line, totals, sales, set_aside }: Trial): string => {
  const rows = [
    ...sales.map((sale) => ({ line: sale.line, cells: saleCells(sale) })),
    ...set_aside.map((aside) => ({ line: aside.line, cells: asideCells(aside) })),
  ].sort((left, right) => left.line - right.line);
  const cells = [COLUMNS, ...rows.map((row) => row.cells)];
  const widths = COLUMNS.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  const { rows: all, used, ignored, rejected, columns } = totals;
  return [
    file,
    `read as ${profile.replace(/@.*/, '')}, header on line ${header_line}`,
    `rows: ${all} = ${used} used + ${ignored} ignored + ${rejected} rejected`,
    ...Object.entries(columns).map(
      ([name, sums]) =>
        `${name}: ${sums.all} = ${sums.used} used + ${sums.ignored} ignored + ${sums.rejected} rejected`,
    ),
    '',
    ...cells.map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    '',
  ].join('\n');
};

const saleCells = (sale: TrialSale): readonly string[] => [
  String(sale.line),
  sale.record,
  sale.outcome,
  sale.reasons.map(({ code }) => code).join(' '),
  sale.kind === 'refund' ? `refund of ${sale.reference ?? 'nothing named'}` : 'order',
  sale.id,
  sale.business_date,
  `${sale.ship_to.country} ${sale.ship_to.state} ${sale.ship_to.zip}`.trim(),
  `${sale.amount} ${sale.currency}`,
  sale.shipping,
  sale.sales_tax,
  sale.marketplace_tax,
  sale.exemption_type ?? '',
  sale.lines
    .map((line) => `${line.quantity} x ${line.unit_price}${off(line.discount)} = ${formatPrice(netOf(line))}`)
    .join(', '),
];

const off = (discount: string): string => (discount === '0.00' ? '' : ` - ${discount}`);

const asideCells = ({ line, record, outcome, reasons, business_date }: TrialAside): readonly string[] => [
  String(line),
  record,
  outcome,
  reasons.map(({ code }) => code).join(' '),
  '',
  '',
  business_date ?? '',
];
