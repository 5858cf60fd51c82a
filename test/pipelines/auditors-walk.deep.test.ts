import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StatedQuery, type Walked, walk } from '../support/auditors-walk.ts';
import { type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';
import { type TableRow, type WorkbookTable, workbookTables } from '../support/workbook-tables.ts';

const SCRIPT = fileURLToPath(new URL('../../docs/check-books.py', import.meta.url));
const CELLS = 50;
const SEED = 20_261_031;

/** Figures that label a row and are not added up from anything. */
const LABELS: ReadonlySet<string> = new Set(['Rate']);

/** A small generator of equal numbers on every machine. */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Lines of `tieout show`, as far as figures lead there. */
type LoggedSale = {
  readonly posting: string;
  readonly sale: {
    readonly channel: string;
    readonly kind: string;
    readonly id: string;
    readonly businessDate: string;
    readonly shipTo: { readonly state: string };
  };
  readonly recorded?: {
    readonly day: string;
    readonly record: Readonly<Record<'amount' | 'sales_tax', number>>;
  };
  readonly reconciled: { readonly levels: readonly LoggedLevel[] } | null;
};

type LoggedLevel = { readonly level: string; readonly name: string } & Readonly<
  Record<'rate' | 'taxable' | 'collected' | 'tax', number>
>;

type Place = { readonly table: string; readonly row: TableRow; readonly title: string };

describe('an auditor’s walk through the sample month', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-walk-'));
  let merchant: Merchant;
  let variance: ReadonlyMap<string, WorkbookTable>;
  let filing: ReadonlyMap<string, WorkbookTable>;
  let stated: StatedQuery;
  const pack = (name: string) => join(merchant.output, 'harbor-and-pine', '2026-10', name);
  beforeAll(async () => {
    merchant = await sampleMerchant(folder);
    await merchant.close();
    variance = await workbookTables(pack('variance.xlsx'));
    filing = await workbookTables(pack('filing-summary.xlsx'));
    stated = statedQueries({
      variance,
      filing,
      sales: (await tieout(['show', pack(''), '--json'])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LoggedSale),
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const figuresOf = (book: ReadonlyMap<string, WorkbookTable>, names: readonly string[]): readonly Place[] =>
    names.flatMap((table) => {
      const { rows, titles } = book.get(table) ?? { rows: [], titles: [] };
      expect(rows.length, `${table} has rows`).toBeGreaterThan(0);
      return rows.flatMap((row) =>
        titles
          .filter((title) => !LABELS.has(title))
          .filter((title) => typeof row[title]?.value === 'number' && row[title].value !== 0)
          .map((title) => ({ table, row, title })),
      );
    });

  const leadsToInputs = (book: ReadonlyMap<string, WorkbookTable>, place: Place): void => {
    const name = `${place.table}[${place.title}] of ${Object.values(place.row)[0]?.value}`;
    const { figure, ends } = walk(book, place, stated);
    expect(figure, name).toBe(place.row[place.title]?.value);
    expect(ends.length, `${name} leads somewhere`).toBeGreaterThan(0);
    for (const end of ends) expect(inputLine(end), name).toContain(recordOf(end));
  };

  /** The line of the input that a row names, as it stands in the file. */
  const inputLine = (row: TableRow): string => {
    const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(String(row['File and line']?.value)) ?? [];
    return readFileSync(join(folder, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
  };

  test('fifty figures of the variance book lead to lines of the exports that hold the records', () => {
    const places = figuresOf(variance, ['By_state', 'By_jurisdiction', 'By_reason', 'Completeness']);
    const random = randomOf(SEED);
    for (let cell = 0; cell < CELLS; cell += 1) {
      const place = places[Math.floor(random() * places.length)];
      if (place) leadsToInputs(variance, place);
    }
  });

  test('the sales and taxes with which the lead sheet of the filing begins lead there too', () => {
    const places = figuresOf(filing, ['Returns']).filter(({ title }) => title in BY_STATE_TITLES);
    expect(places.length).toBeGreaterThan(10);
    for (const place of places) leadsToInputs(filing, place);
  });

  test.skipIf(spawnSync('python3', ['--version']).status !== 0)(
    'the script for auditors comes to the same books, and finds each cent that is changed',
    async () => {
      const check = (): string => {
        const { status, stdout } = spawnSync('python3', [SCRIPT, pack(''), folder], { encoding: 'utf8' });
        return `${status} ${stdout}`;
      };
      expect(check()).toBe('0 334 entries, 0 differences\n');
      const path = pack('evidence/entries.ndjson.gz');
      const whole = gunzipSync(readFileSync(path)).toString();
      for (const [from, to, problem] of [
        ['"salesTax":1000,', '"salesTax":1001,', 'tax of its row: computed 1000, stated 1001'],
        [
          '"tax":581,"collected":581',
          '"tax":582,"collected":581',
          'tax of its levels: computed 1001, stated 1000',
        ],
        [/("name":"CA","rate":)625000/, '$1725000', 'has 581 of tax, and its rate gives 674.18'],
        [/.*"shopify\/order\/5010".*\n/, '', 'Return CA: Gross sales: computed 1199102, stated 1209196'],
      ] as const) {
        const changed = whole.replace(from, to);
        expect(changed).not.toBe(whole);
        writeFileSync(path, gzipSync(changed));
        expect(check()).toMatch(new RegExp(`^1 [^]*${problem}`));
      }
      writeFileSync(path, gzipSync(whole));
      expect(check()).toMatch(/^0 /);
    },
  );
});

/** Figures of the lead sheet that are those of By state, by their titles there. */
const BY_STATE_TITLES: Readonly<Record<string, string>> = {
  'Gross sales': 'Gross',
  Collected: 'Collected',
};

const centsIn = (row: TableRow, title: string): number => Math.round(Number(row[title]?.value ?? 0) * 100);

/** How the exports name the record of a row: a refund by its order. */
const recordOf = (row: TableRow): string =>
  String(row['Transaction']?.value || row['Record']?.value).replace(/-refund.*/, '');

/** The queries that sheets state in words for figures without a formula. */
const statedQueries = ({
  variance,
  filing,
  sales,
}: {
  readonly variance: ReadonlyMap<string, WorkbookTable>;
  readonly filing: ReadonlyMap<string, WorkbookTable>;
  readonly sales: readonly LoggedSale[];
}): StatedQuery => {
  const detail = ['Detail', 'Not_posted'].flatMap((table) => variance.get(table)?.rows ?? []);
  const detailOf = (channel: string, kind: string, id: string): TableRow => {
    const found = detail.find((row) => row['Channel']?.value === channel && row['Transaction']?.value === id);
    if (!found) throw new Error(`Detail has no ${kind} ${id} of ${channel}`);
    return found;
  };
  const says = (text: string, words: string): void => expect(text).toContain(words);

  const byLevel = (row: TableRow, title: string, above: string): Walked => {
    says(above, 'evidence/entries.ndjson.gz');
    const figure = ({ Taxable: 'taxable', 'Taxable amount': 'taxable', Collected: 'collected' } as const)[
      title
    ];
    const parts = sales.flatMap(({ posting, sale, reconciled }) =>
      (posting === 'posted' ? (reconciled?.levels ?? []) : [])
        .filter(
          ({ level, name, rate }) =>
            sale.shipTo.state === row['State']?.value &&
            level === row['Level']?.value &&
            name === row['Jurisdiction']?.value &&
            Math.round(Number(row['Rate']?.value) * 1e7) === rate,
        )
        .map((level) => ({ cents: level[figure ?? 'tax'], end: detailOf(sale.channel, sale.kind, sale.id) })),
    );
    return {
      figure: parts.reduce((sum, { cents }) => sum + cents, 0) / 100,
      ends: parts.map(({ end }) => end),
    };
  };

  const byDay = (row: TableRow, title: string, above: string): Walked => {
    says(above, 'evidence/entries.ndjson.gz');
    const [channelOf, dayOf] = [row['Channel']?.value, row['Business date']?.value];
    if (title === 'Orders' || title === 'Refunds') {
      const exported = sales.filter(
        ({ sale: { channel, kind, businessDate } }) =>
          channel === channelOf && businessDate === dayOf && `${kind}s` === title.toLowerCase(),
      );
      const ends = exported.map(({ sale: { channel, kind, id } }) => detailOf(channel, kind, id));
      return { figure: exported.length, ends };
    }
    const own = sales.flatMap(({ sale: { channel, kind, id }, recorded }) =>
      recorded && channel === channelOf && recorded.day === dayOf
        ? [{ record: recorded.record, end: detailOf(channel, kind, id) }]
        : [],
    );
    const field = ({ 'Amount recorded': 'amount', 'Tax recorded': 'sales_tax' } as const)[title];
    return {
      figure: field ? own.reduce((sum, { record }) => sum + Number(record[field]), 0) / 10_000 : own.length,
      ends: own.map(({ end }) => end),
    };
  };

  /** The lead sheet of the filing book takes its figures from By state of the other book. */
  const fromByState = (row: TableRow, title: string, above: string): Walked => {
    says(above, 'By state in variance.xlsx');
    const column = BY_STATE_TITLES[title];
    const key = String(row['State']?.value);
    const code = key.slice(0, 2);
    const state = variance.get('By_state')?.rows.find((each) => each['State']?.value === code);
    if (!state || column === undefined) throw new Error(`${title} is not stated`);
    const whole = walk(variance, { table: 'By_state', row: state, title: column }, query);
    // Places that collect their own tax have the sales of the state, and the tax of their levels.
    const places = [...filing]
      .filter(([name]) => name.startsWith(`Levels_${code}_`))
      .map(([name, { rows }]) => ({ key: name.slice('Levels_'.length).replaceAll('_', ' '), rows }));
    if (places.length === 0 || title !== 'Collected') return whole;
    const own = places
      .filter((each) => key === code || each.key === key)
      .flatMap(({ rows }) => rows)
      .reduce((total, level) => {
        const levied = variance
          .get('By_jurisdiction')
          ?.rows.find((each) =>
            ['Level', 'Jurisdiction', 'Rate'].every((name) => each[name]?.value === level[name]?.value),
          );
        return total + centsIn(levied ?? {}, 'Collected');
      }, 0);
    const cents = key === code ? Math.round(whole.figure * 100) - own : own;
    return { figure: cents / 100, ends: whole.ends };
  };

  const query: StatedQuery = (table, row, title) => {
    const above = (variance.get(table) ?? filing.get(table))?.above ?? '';
    if (table === 'Completeness') return byDay(row, title, above);
    return table === 'Returns' ? fromByState(row, title, above) : byLevel(row, title, above);
  };
  return query;
};
