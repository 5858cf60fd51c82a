import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AlteredTax, type FaultyService, faultyService } from '../support/faulty-service.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import type { Order } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const ORDERS = 60;

/** Sixty orders of sixty amounts, two of which were charged at a rate of the shop's own. */
const orders = Array.from({ length: ORDERS }, (_, index): Order => {
  const dollars = 100 + index;
  const percent = index % 30 === 7 ? 9 : 10.75;
  return {
    name: `#${index + 1}`,
    price: `${dollars}.00`,
    tax: (Math.round(dollars * percent) / 100).toFixed(2),
  };
});

type Figures = {
  readonly exit_code: number;
  readonly calculations: { readonly asked: number; readonly refused: number };
  readonly totals: Readonly<Record<string, string>>;
  readonly reasons: readonly object[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly exceptions: readonly {
    readonly code: string;
    readonly severity: string;
    readonly message: string;
  }[];
  readonly clusters: readonly { readonly code: string; readonly records: number }[];
};

const month = async (alter?: (tax: AlteredTax, number: number) => AlteredTax) => {
  const folder = await temporaryFolder();
  const served = await servedLedger(folder, ['CA']);
  const faulty: FaultyService = await faultyService(served.url, {
    seed: 1,
    share: 0,
    ...(alter && { alter }),
  });
  await writeOrders(folder, 'oct.csv', orders);
  await writeShop(folder, ['oct.csv'], [], `service: { url: "${faulty.url}", concurrency: 4 }\n`);
  const args = ['--config', join(folder, 'tieout.yaml')];
  const env = { TIEOUT_SERVICE_KEY: served.key };
  const run = async (command: string, ...more: string[]) =>
    tieout([command, ...more, ...args, '--json'], { env });
  const close = async (): Promise<Figures> => {
    const ran = await run('close', '2026-10', '--output', join(folder, 'out'));
    expect(ran.stderr).toBe('');
    return JSON.parse(ran.stdout) as Figures;
  };
  return { folder, close };
};

const figuresOf = ({ totals, reasons, statuses, exceptions }: Figures) => ({
  totals,
  reasons,
  statuses,
  exceptions,
});

const negated = (tax: AlteredTax): AlteredTax => ({ ...tax, amount_to_collect: -tax.amount_to_collect });

describe('answers that contradict themselves', () => {
  test('are asked for once more, and the figures are those of the honest service', async () => {
    const honest = await (await month()).close();
    expect(honest.statuses).toMatchObject({ 'tied out': 58 });
    const faulty = await month((tax, number) => (number % 30 === 0 ? negated(tax) : tax));
    expect(figuresOf(await faulty.close())).toEqual(figuresOf(honest));
  });

  test('never become figures when the second one is not a better: the sale is not calculated, and says why', async () => {
    const { close } = await month(negated);
    const figures = await close();
    expect(figures.calculations.refused).toBe(ORDERS);
    expect(figures.totals['expected']).toBe('0.00');
    const [first, ...others] = figures.exceptions.filter(({ code }) => code === 'not-calculated');
    expect(others.length).toBe(ORDERS - 1);
    expect(first?.message).toMatch(
      /its answer contradicts itself, asked twice: it has an amount of -[\d.]+, and nothing of the sale is negative\. Nothing of it is used/,
    );
  });
});

test('where Tieout’s own engine expects another tax that no missing rate explains, the sales are one open exception', async () => {
  const lower = ({ breakdown: _, ...tax }: AlteredTax): AlteredTax => ({
    ...tax,
    rate: 0.05,
    amount_to_collect: Math.round(tax.taxable_amount * 5) / 100,
  });
  const { folder, close } = await month((tax) => lower(tax));
  const figures = await close();
  expect(figures.exit_code).toBe(1);
  const found = figures.exceptions.filter(({ code }) => code === 'second-opinion-differs');
  expect(found.length).toBe(ORDERS);
  expect(found.every(({ severity }) => severity === 'error')).toBe(true);
  expect(found.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(
      'the tax service expects 5.00, Tieout’s own engine 10.75, and no rate that its content may lack',
    ),
  );
  expect(figures.clusters.filter(({ code }) => code === 'second-opinion-differs')).toMatchObject([
    { records: ORDERS },
  ]);
  // The two sales with a variance have no reason, as an answer that is doubted proves nothing.
  expect(figures.reasons).toMatchObject([{ code: 'R99', sales: ORDERS }]);
  const verified = await tieout(['verify', join(folder, 'out', 'shop', '2026-10')]);
  expect({ code: verified.code, stdout: verified.stdout }).toMatchObject({ code: 0 });
});
