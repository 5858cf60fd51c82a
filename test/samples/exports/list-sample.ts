import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { moneyOfPrice, type Price, parsePrice, price } from '../../../src/kernel/money.ts';
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

type TrialSale = {
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

type TrialAside = {
  readonly record: string;
  readonly line: number;
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
const proveSum = (sale: TrialSale): void => {
  if (!isPosted(sale) || sale.lines.length === 0) return;
  const lines = sale.lines.reduce((total, line) => total + netOf(line), 0);
  if (
    moneyOfPrice(price(lines + priceOf(sale.shipping))) !== moneyOfPrice(priceOf(sale.amount)) ||
    sale.lines.some(({ discount }) => priceOf(discount) < 0)
  )
    throw new Error(`${sale.id}: the lines and the shipping are not the amount`);
};

/** The listing of a sample as a bookkeeper reviews it: the counts and sums of each file, and its records. */
export const listingOf = (trials: readonly (Trial | FailedTrial)[]): string =>
  trials
    .map((trial) => {
      if ('error' in trial) {
        const { file, error } = trial;
        return `${file}\nrefused as ${error.code}: ${error.message}\n${error.next_step}\n`;
      }
      const { columns, ...counts } = trial.totals;
      const sums = Object.entries({ rows: { ...counts, all: counts.rows }, ...columns }).map(
        ([name, { all, used, ignored, rejected }]) =>
          `${name}: ${all} = ${used} used + ${ignored} ignored + ${rejected} rejected`,
      );
      const read = `read as ${trial.profile.replace(/@.*/, '')}, header on line ${trial.header_line}`;
      return `${[trial.file, read, ...sums, '', ...recordLines([trial])].join('\n')}\n`;
    })
    .join('\n');

/**
 * What files become, a short line for each record in the order of the files: figures that are zero are left out.
 * What always holds is made sure of on the way: no row is lost, and what is posted adds up.
 */
export const recordLines = (trials: readonly (Trial | FailedTrial)[]): readonly string[] =>
  trials.flatMap((trial) => {
    if ('error' in trial) return [`refused ${trial.error.code}`];
    const { sales, set_aside } = trial;
    proveTotals(trial);
    for (const sale of sales) proveSum(sale);
    return [
      ...sales.map((sale) => ({ line: sale.line, text: saleLine(sale) })),
      ...set_aside.map((aside) => ({ line: aside.line, text: asideLine(aside) })),
    ]
      .sort((left, right) => left.line - right.line)
      .map(({ text }) => text);
  });

const unlessZero = (name: string, amount: string): readonly string[] =>
  amount === '0.00' ? [] : [`${name} ${amount}`];

const saleLine = (sale: TrialSale): string =>
  [
    sale.id,
    ...(sale.kind === 'refund' ? [`refund of ${sale.reference ?? 'nothing named'}`] : []),
    sale.outcome,
    ...sale.reasons.map(({ code }) => code),
    sale.business_date,
    [sale.ship_to.country, sale.ship_to.state, sale.ship_to.zip].filter((part) => part !== '').join(' '),
    sale.currency === 'USD' ? sale.amount : `${sale.amount} ${sale.currency}`,
    ...unlessZero('shipping', sale.shipping),
    ...unlessZero('tax', sale.sales_tax),
    ...unlessZero('marketplace', sale.marketplace_tax),
    ...(sale.exemption_type ? [`exempt ${sale.exemption_type}`] : []),
  ].join(' ') +
  sale.lines
    .map((line, index) => {
      const off = line.discount === '0.00' ? '' : ` - ${line.discount}`;
      return `${index === 0 ? ': ' : ', '}${line.quantity} x ${line.unit_price}${off}`;
    })
    .join('');

const asideLine = ({ record, outcome, reasons }: TrialAside): string =>
  `${record === '' ? '-' : record} ${outcome} ${reasons.map(({ code }) => code).join(' ')}`;
