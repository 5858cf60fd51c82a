import { join } from 'node:path';
import type { CreateOrderInput } from '../../src/contract/transaction.ts';
import { connect } from '../../src/database/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { rollingWindow } from '../../src/runtime/rolling-window.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { embeddedTaxService } from '../../src/service/tax-service.ts';
import { drawOrder, type MonthOrder } from '../month/draw-order.ts';
import { requestOf, shopTaxCents } from '../month/shop-tax.ts';
import { inFolder, measured, sizeAsked } from './cost.ts';

/** Orders into the embedded service, durable in a SQLite file, as a close sends them; and read back one by one. */
const AT_ONCE = 500;
const count = sizeAsked();

const bodyOf = (order: MonthOrder): CreateOrderInput => {
  const { line_items, shipping, ...address } = requestOf(order);
  const goods = (line_items ?? []).reduce(
    (sum, { quantity, unit_price, discount }) =>
      sum + Number(quantity) * Number(unit_price) - Number(discount ?? 0),
    0,
  );
  return {
    ...address,
    transaction_id: String(order.number),
    transaction_date: new Date(order.at).toISOString(),
    to_country: 'US',
    to_zip: order.place.zip,
    to_state: order.place.state,
    amount: (goods + Number(shipping)).toFixed(2),
    shipping: shipping ?? 0,
    sales_tax: (shopTaxCents(order, 'known') / 100).toFixed(2),
    line_items,
  };
};

const bodies = Array.from({ length: count }, (_, index) => bodyOf(drawOrder(index, count)));

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

await inFolder(async (folder) => {
  const database = await connect(`sqlite:${join(folder, 'ledger.db')}`);
  const ledger = await openLedger(database, systemClock);
  const account = await ledger.accounts.ensure({ name: 'bench', nexus: [] });
  const service = embeddedTaxService({
    ledger,
    accountId: account.id,
    content: loadContent(),
    clock: systemClock,
  });
  await measured('service: create', { rows: count, unit: 'orders' }, () =>
    rollingWindow(each(bodies), AT_ONCE, async (body) => {
      await service.createOrder(body);
    }),
  );
  await measured('service: show', { rows: count, unit: 'orders' }, () =>
    rollingWindow(each(bodies), AT_ONCE, async ({ transaction_id }) => {
      await service.showOrder(String(transaction_id));
    }),
  );
  await database.close();
});
