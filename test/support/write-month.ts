import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Order,
  ordersExport,
  type Refund,
  refundsExport,
  refundsOf,
  TEMPLATE_PROFILE,
  type TemplateRow,
  templateExport,
} from './shop-exports.ts';

/** Rows of the export of that kind, or of several exports by the names of their files. */
type Exported<Row> = readonly Row[] | Readonly<Record<string, readonly Row[]>>;

/** Keys of the configuration, as `tieout.yaml` has them. */
export type Settings = Readonly<Record<string, unknown>>;

/** What a shop sold, and how its close is configured. */
export type MonthData = {
  readonly orders?: Exported<Order>;
  /** What was given back, beside what the orders themselves say. */
  readonly refunds?: Exported<Refund>;
  /** Orders and refunds in the template of TaxJar, instead of the exports of Shopify. */
  readonly template?: Exported<TemplateRow>;
  /** Keys of the channel that reads them. */
  readonly channel?: Settings;
  /** Keys of the configuration. */
  readonly settings?: Settings;
  /** Several shops under one configuration, by their names. */
  readonly entities?: Readonly<Record<string, MonthData>>;
};

const SHOP: Settings = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1 K Street' },
  registrations: [{ state: 'CA', since: '2019-01-01' }],
  output: 'out',
};

type Files = Readonly<Record<string, string>>;

const byFile = <Row>(
  exported: Exported<Row> | undefined,
  file: string,
): Readonly<Record<string, readonly Row[]>> =>
  Array.isArray(exported)
    ? { [file]: exported }
    : ((exported as Readonly<Record<string, readonly Row[]>>) ?? {});

const written = <Row>(
  exported: Readonly<Record<string, readonly Row[]>>,
  write: (rows: readonly Row[]) => string,
): Files => Object.fromEntries(Object.entries(exported).map(([file, rows]) => [file, write(rows)]));

/** What the exports of orders say of repayments themselves stands in the payments export, too. */
const repaymentsOf = ({ orders, refunds }: MonthData): Exported<Refund> | undefined => {
  const said = refundsOf(Object.values(byFile(orders, '')).flat());
  if (said.length === 0) return refunds;
  if (refunds !== undefined && !Array.isArray(refunds))
    throw new Error('say in which file each refund stands');
  return [...(refunds ?? []), ...said];
};

/** The files in the folder of a shop, and its configuration. */
const shopOf = (
  data: MonthData,
  folder = '',
): {
  readonly files: Files;
  readonly settings: Settings;
} => {
  const files = {
    ...written(byFile(data.orders, `${folder}orders.csv`), ordersExport),
    ...written(byFile(data.template, `${folder}orders.csv`), templateExport),
  };
  const payments = written(byFile(repaymentsOf(data), `${folder}refunds.csv`), refundsExport);
  const channel = {
    name: 'shopify',
    files: Object.keys(files),
    refundDates: Object.keys(payments),
    ...(data.template && { name: 'shop', profile: 'template.yaml' }),
    ...data.channel,
  };
  return {
    files: { ...files, ...payments, ...(data.template && { 'template.yaml': TEMPLATE_PROFILE }) },
    settings: { ...SHOP, channels: [channel], ...data.settings },
  };
};

/** The same of one shop or of several under one configuration. */
const folderOf = ({
  entities,
  ...data
}: MonthData): {
  readonly files: Files;
  readonly settings: Settings;
} => {
  if (entities === undefined) return shopOf(data);
  const shops = Object.entries(entities).map(([entity, own]) =>
    shopOf({ ...own, settings: { entity, name: entity, ...own.settings } }, `${entity}-`),
  );
  return {
    files: Object.assign({}, ...shops.map(({ files }) => files)),
    settings: { entities: shops.map(({ settings }) => settings) },
  };
};

/** Put a file into a folder, and make the folders above it. */
export const writeInto = async (
  folder: string,
  name: string,
  content: string | Uint8Array,
): Promise<void> => {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};

/** Write the exports of a month and its configuration into a folder, in the place of those of another month. */
export const writeMonth = async (folder: string, data: MonthData, before: MonthData = {}): Promise<void> => {
  const { files, settings } = folderOf(data);
  for (const gone of Object.keys(folderOf(before).files))
    if (!(gone in files)) await rm(join(folder, gone), { force: true });
  for (const [file, text] of Object.entries(files)) await writeInto(folder, file, text);
  await writeInto(folder, 'tieout.yaml', JSON.stringify(settings, null, 2));
};
