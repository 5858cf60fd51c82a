import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { TaxService } from '../../src/contract/tax-service.ts';
import type { Figures, Manifest } from './figures.ts';
import { recordsOf } from './records-of.ts';
import { tableRows } from './sheets.ts';
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
import { filesOf, type Ran, type RunOptions, temporaryFolder, tieout } from './tieout.ts';
import { type PipelinePorts, type PortOptions, withPorts } from './with-ports.ts';
import { type WorkbookTable, workbookTables } from './workbook-tables.ts';

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
const shopOf = (data: MonthData, folder = ''): { readonly files: Files; readonly settings: Settings } => {
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
}: MonthData): { readonly files: Files; readonly settings: Settings } => {
  if (entities === undefined) return shopOf(data);
  const shops = Object.entries(entities).map(([entity, own]) =>
    shopOf({ ...own, settings: { entity, name: entity, ...own.settings } }, `${entity}-`),
  );
  return {
    files: Object.assign({}, ...shops.map(({ files }) => files)),
    settings: { entities: shops.map(({ settings }) => settings) },
  };
};

/**
 * A shop with the exports and the configuration of a month, closed by the command in this process. Its files can be
 * replaced between two commands.
 */
export const month = async (data: MonthData = {}, place?: string) => {
  const folder = place ?? (await temporaryFolder());
  const config = join(folder, 'tieout.yaml');
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  let now: MonthData = data;

  /** Put other exports or settings in the place of those; what is not named stays as it is. */
  const change = async (changes: MonthData): Promise<void> => {
    now = { ...now, ...changes };
    const { files, settings } = folderOf(now);
    for (const [file, text] of Object.entries(files)) await write(file, text);
    await write('tieout.yaml', JSON.stringify(settings, null, 2));
  };
  await change({});

  const runWith = (how: RunOptions, ...args: readonly string[]): Promise<Ran> =>
    tieout([...args, '--config', config], how);
  const run = (...args: readonly string[]): Promise<Ran> => runWith({}, ...args);
  const out = (period = '2026-10'): string => join(folder, 'out', 'shop', period);
  const book = (period?: string, name = 'variance'): string => join(out(period), `${name}.xlsx`);
  const ports = <Result>(work: (ports: PipelinePorts) => Promise<Result>, how: PortOptions = {}) =>
    withPorts(config, work, how);
  const service = <Result>(work: (service: TaxService) => Promise<Result>): Promise<Result> =>
    ports(({ service: own }) => work(own));

  /** The figures of a close that ends by itself, whether or not something is open. */
  const close = async (period = '2026-10', ...args: readonly string[]): Promise<Figures> => {
    const { stdout, stderr } = await run('close', period, '--json', ...args);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Figures;
  };

  return {
    folder,
    config,
    change,
    /** Put another file into the folder. */
    write,
    /** A file of the folder as text. */
    read: (name: string): Promise<string> => readFile(join(folder, name), 'utf8'),
    /** Run a command with its configuration. */
    run,
    /** The same, in an environment, or in a process of its own. */
    runWith,
    close,
    /** What a command prints with --json, which must end with this code. */
    told: async <Told = Figures>(code: number, ...args: readonly string[]): Promise<Told> => {
      const ran = await run(...args, '--json');
      expect({ args, code: ran.code, stderr: ran.stderr }).toEqual({ args, code, stderr: '' });
      return JSON.parse(ran.stdout) as Told;
    },
    /** The code of the error with which a command ends. */
    refused: async (...args: readonly string[]): Promise<string> => {
      const { stdout } = await run(...args, '--json');
      return (JSON.parse(stdout) as { error: { code: string } }).error.code;
    },
    /** The published folder of a period. */
    out,
    /** The published files of a period with their bytes. */
    files: (period?: string) => filesOf(out(period)),
    /** Everything that is published. */
    published: () => filesOf(join(folder, 'out')),
    rows: (sheet: string, period?: string, name?: string) => tableRows(book(period, name), sheet),
    tables: (period?: string, name?: string): Promise<ReadonlyMap<string, WorkbookTable>> =>
      workbookTables(book(period, name)),
    /** What the manifest of a period vouches for. */
    manifest: async (period?: string): Promise<Manifest> =>
      JSON.parse(await readFile(join(out(period), 'evidence', 'manifest.json'), 'utf8')),
    /** What `tieout verify` finds wrong with a period. */
    verify: async (period?: string): Promise<readonly string[]> => {
      const { stdout } = await tieout(['verify', out(period), '--json']);
      const { periods } = JSON.parse(stdout) as {
        periods: readonly { verdicts: readonly { problem?: string }[] }[];
      };
      return periods.flatMap(({ verdicts }) => verdicts.flatMap(({ problem }) => problem ?? []));
    },
    /** Work with what a pipeline works with. */
    ports,
    /** Work with its tax service, as somebody else may. */
    service,
    /** What its tax service holds: `order 1 100.00 10.75`. */
    records: (provider = 'shopify'): Promise<readonly string[]> => service((own) => recordsOf(own, provider)),
  };
};

export type Month = Awaited<ReturnType<typeof month>>;
