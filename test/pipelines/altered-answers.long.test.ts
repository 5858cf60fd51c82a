import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AlteredTax, faultyService } from '../support/faulty-service.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { salesIn, tableRows } from '../support/sheets.ts';
import { sampleMerchant, temporaryFolder } from '../support/tieout.ts';

const STATES = ['CA', 'CO', 'FL', 'GA', 'IL', 'MA', 'NJ', 'NY', 'PA', 'TX', 'WA', 'WI'];
const EVERY = 30;

type Value = unknown;

/** The same answer with every number under a name of this form changed, however deep it stands. */
const changed = (value: Value, name: RegExp, change: (amount: number) => number, key = ''): Value => {
  if (typeof value === 'number') return name.test(key) ? change(value) : value;
  if (Array.isArray(value)) return value.map((each) => changed(each, name, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([each, inner]) => [each, changed(inner, name, change, each)]),
  );
};

const TAX = /collect|^(?:state|county|city|special_district)_amount$/;
const RATE = /rate$/;
const negated = (amount: number): number => -amount;
const half = (amount: number): number => Math.round(amount * 50) / 100;
const halfRate = (rate: number): number => Math.round((rate / 2) * 1e7) / 1e7;

const PROXIES: Readonly<Record<string, (tax: AlteredTax) => AlteredTax>> = {
  'negates the tax': (tax) => ({ ...tax, amount_to_collect: -tax.amount_to_collect }),
  'negates the tax and its breakdown': (tax) => changed(tax, TAX, negated) as AlteredTax,
  'negates everything but the rates': (tax) =>
    changed(tax, new RegExp(`${TAX.source}|taxable_amount$`), negated) as AlteredTax,
  'halves the rates and the tax': (tax) => changed(changed(tax, RATE, halfRate), TAX, half) as AlteredTax,
};

/** Each sale of the month as Detail has it, and the records with an open exception. */
const closed = async (alter?: (tax: AlteredTax) => AlteredTax) => {
  const folder = await temporaryFolder();
  const { url, key } = await servedLedger(folder, STATES);
  const proxy = await faultyService(url, {
    seed: 1,
    share: 0,
    ...(alter && { alter: (tax, number) => (number % EVERY === 0 ? alter(tax) : tax) }),
  });
  const { config, close, output } = await sampleMerchant();
  await writeFile(
    config,
    `${await readFile(config, 'utf8')}\nservice: { url: "${proxy.url}", concurrency: 1 }\n`,
  );
  const ran = await close(['2026-10'], { env: { TIEOUT_SERVICE_KEY: key } });
  expect(ran.stderr).toBe('');
  const book = join(output, 'harbor-and-pine', '2026-10', 'variance.xlsx');
  const open = (await tableRows(book, 'Exceptions')).filter(({ Severity }) => Severity === 'error');
  const sales = await salesIn(book);
  return { sales, open: new Set(open.map(({ Record }) => Record)), code: ran.code };
};

test('where a proxy alters every thirtieth answer, each sale has its honest figures, or is open', async () => {
  const honest = await closed();
  for (const [what, alter] of Object.entries(PROXIES)) {
    const altered = await closed(alter);
    expect(altered.sales.length).toBe(honest.sales.length);
    const names = new Set(altered.open);
    for (const [index, sale] of altered.sales.entries()) {
      const same = JSON.stringify(sale) === JSON.stringify(honest.sales[index]);
      const { Transaction: id, Status: status } = sale;
      const isOpen = [`${id}`, `#${id}`].some((name) => names.has(name)) && status !== 'explained';
      expect(same || isOpen, `${what}: ${JSON.stringify(sale)}`).toBe(true);
    }
  }
}, 240_000);
