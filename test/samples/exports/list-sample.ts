import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { LoadedConfiguration } from '../../../src/close/configuration/load-configuration.ts';
import { Configuration } from '../../../src/close/configuration/schema.ts';
import { knownProfiles } from '../../../src/close/sales/load-profiles.ts';
import { netOf } from '../../../src/close/sales/read-lines.ts';
import type { Sale, SetAside } from '../../../src/close/sales/sale.ts';
import { type FailedTrial, type Trial, tryExports } from '../../../src/close/stages/extract/try-exports.ts';
import { openWorkspace } from '../../../src/close/workspace/workspace.ts';
import { connect } from '../../../src/database/connect.ts';
import { formatMoney } from '../../../src/kernel/money.ts';
import { formatPrice } from '../../../src/kernel/price.ts';

export const EXPORTS = fileURLToPath(new URL('../../../samples/exports', import.meta.url));
const NO_EXPORT = new Set(['channel.yaml', 'expected.txt', 'README.md']);

/** What the exports of one sample become, read as a close reads them. */
export const trialsOf = async (sample: string): Promise<readonly (Trial | FailedTrial)[]> => {
  const folder = join(EXPORTS, sample);
  const names = readdirSync(folder).sort();
  const files = names.filter((name) => !NO_EXPORT.has(name));
  const settings: unknown = names.includes('channel.yaml')
    ? parse(readFileSync(join(folder, 'channel.yaml'), 'utf8'))
    : {};
  return trialsIn(folder, files, settings as object);
};

/** What files of a folder become as the exports of one channel. */
export const trialsIn = async (
  folder: string,
  files: readonly string[],
  settings: object = {},
): Promise<readonly (Trial | FailedTrial)[]> => {
  const resolvePath = (path: string) => join(folder, path);
  const configuration: LoadedConfiguration = {
    ...Configuration.parse({
      entity: 'tidewater',
      name: 'Tidewater Trading',
      timeZone: 'America/Los_Angeles',
      shipFrom: { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '9 Embarcadero West' },
      registrations: [{ state: 'CA', since: '2020-01-01' }],
      channels: [{ name: 'shop', files, ...settings }],
    }),
    file: '',
    resolvePath,
    resolveUrl: (url) => url,
  };
  const [channel] = configuration.channels;
  if (!channel) throw new Error('there is no channel');
  return tryExports(
    {
      configuration,
      channel,
      profiles: knownProfiles(channel.profile, resolvePath),
      withScratch: async (work) => {
        const database = await connect('sqlite::memory:');
        try {
          return await work(await openWorkspace(database, 'tidewater'));
        } finally {
          await database.close();
        }
      },
    },
    files,
  );
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

const refusal = ({ name, error }: FailedTrial): string =>
  `${name}\nrefused as ${error.code}: ${error.message.replace(EXPORTS, '').replace(/^\/[^:]*\//, '')}\n${error.nextStep}\n`;

const table = ({ file, detected, tally, columns, sales, setAsides }: Trial): string => {
  const rows = [
    ...sales.map((sale) => ({ line: sale.origin.line, cells: saleCells(sale) })),
    ...setAsides.map((aside) => ({ line: aside.origin.line, cells: asideCells(aside) })),
  ].sort((left, right) => left.line - right.line);
  const cells = [COLUMNS, ...rows.map((row) => row.cells)];
  const widths = COLUMNS.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  const { rows: all, used, ignored, rejected } = tally;
  return [
    file.name,
    `read as ${detected.profile.id}, header on line ${detected.headerLine}`,
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

const saleCells = (sale: Sale): readonly string[] => [
  String(sale.origin.line),
  sale.origin.record,
  sale.outcome,
  sale.remarks.map(({ code }) => code).join(' '),
  sale.kind === 'refund' ? `refund of ${sale.reference ?? 'nothing named'}` : 'order',
  sale.id,
  sale.businessDate,
  `${sale.shipTo.country} ${sale.shipTo.state} ${sale.shipTo.zip}`.trim(),
  `${formatMoney(sale.amount)} ${sale.currency}`,
  formatMoney(sale.shipping),
  formatMoney(sale.salesTax),
  formatMoney(sale.marketplaceTax),
  sale.exemptionType ?? '',
  sale.lines
    .map(
      (line) =>
        `${line.quantity} x ${formatPrice(line.unitPrice)}${off(line.discount)} = ${formatPrice(netOf(line))}`,
    )
    .join(', '),
];

const off = (discount: Sale['lines'][number]['discount']): string =>
  discount === 0 ? '' : ` - ${formatPrice(discount)}`;

const asideCells = ({ origin, outcome, reason, businessDate }: SetAside): readonly string[] => [
  String(origin.line),
  origin.record,
  outcome,
  reason.code,
  '',
  '',
  businessDate ?? '',
];
