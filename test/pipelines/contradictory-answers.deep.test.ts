import { expect, test } from 'vitest';
import { type AlteredTax, faultyService } from '../support/faulty-service.ts';
import { type Figures, messagesOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { temporaryFolder } from '../support/tieout.ts';

const ORDERS = 60;

/** Sixty orders of sixty amounts, two of which were charged at a rate of the shop's own. */
const orders = Array.from({ length: ORDERS }, (_, index) => {
  const dollars = 100 + index;
  const percent = index % 30 === 7 ? 9 : 10.75;
  return {
    name: `#${index + 1}`,
    price: `${dollars}.00`,
    tax: (Math.round(dollars * percent) / 100).toFixed(2),
  };
});

/** A month that was closed over a service whose answers are altered. */
const closed = async (alter?: (tax: AlteredTax, number: number) => AlteredTax) => {
  const served = await servedLedger(await temporaryFolder(), ['CA']);
  const { url } = await faultyService(served.url, { seed: 1, share: 0, ...(alter && { alter }) });
  const shop: Month = await month({ orders, settings: { service: { url, concurrency: 4 } } });
  const ran = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: served.key } }, 'close', '2026-10', '--json');
  expect(ran.stderr).toBe('');
  return { shop, figures: JSON.parse(ran.stdout) as Figures };
};

const negated = (tax: AlteredTax): AlteredTax => ({ ...tax, amount_to_collect: -tax.amount_to_collect });

test('answers that contradict themselves never become figures: the sale is not calculated, and says why', async () => {
  const { figures } = await closed(negated);
  expect(figures).toMatchObject({ calculations: { refused: ORDERS }, totals: { expected: '0.00' } });
  const said = messagesOf(figures, 'not-calculated');
  expect(said).toHaveLength(ORDERS);
  expect(said[0]).toMatch(
    /its answer contradicts itself: it has an amount of -[\d.]+, and nothing of the sale is negative\. Nothing of it is used/,
  );
});

test('where Tieout’s own engine expects another tax that no missing rate explains, the sales are one open exception', async () => {
  const { shop, figures } = await closed(({ breakdown: _, ...tax }) => ({
    ...tax,
    rate: 0.05,
    amount_to_collect: Math.round(tax.taxable_amount * 5) / 100,
  }));
  expect(figures.exit_code).toBe(1);
  const found = figures.exceptions.filter(({ code }) => code === 'second-opinion-differs');
  expect(found.map(({ severity }) => severity)).toEqual(Array(ORDERS).fill('error'));
  expect(found.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(
      'the tax service expects 5.00, Tieout’s own engine 10.75, and no rate that its content may lack',
    ),
  );
  const clusters = figures.clusters.filter(({ code }) => code === 'second-opinion-differs');
  expect(clusters).toMatchObject([{ records: ORDERS }]);
  // The two sales with a variance have no reason, as an answer that is doubted proves nothing.
  expect(figures.reasons).toMatchObject([{ code: 'R99', sales: ORDERS }]);
  expect(await shop.verify()).toEqual([]);
});
