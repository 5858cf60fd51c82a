import { join } from 'node:path';
import { accept } from '../../src/contract/accept.ts';
import { CreateOrder, type NewTransaction } from '../../src/contract/transaction.ts';
import { connect } from '../../src/database/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { batchesOf } from '../../src/runtime/batches.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { embeddedTaxService } from '../../src/service/tax-service.ts';
import { drawOrder, type MonthOrder } from '../month/draw-order.ts';
import { requestOf, shopTaxCents } from '../month/shop-tax.ts';
import { inFolder, measured, sizeAsked } from './cost.ts';

/** Orders into the embedded service, durable in a SQLite file, and read back, in lists as a close hands them over. */
const LIST = 250;
const LISTS_AT_ONCE = 2;
const count = sizeAsked();

const transactionOf = (order: MonthOrder): NewTransaction => {
  const { line_items, shipping, ...address } = requestOf(order);
  const goods = (line_items ?? []).reduce(
    (sum, { quantity, unit_price, discount }) =>
      sum + Number(quantity) * Number(unit_price) - Number(discount ?? 0),
    0,
  );
  const transaction = accept(CreateOrder, {
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
  });
  return { kind: 'order', transaction };
};

const transactions = Array.from({ length: count }, (_, index) => transactionOf(drawOrder(index, count)));
const names = transactions.map(({ kind, transaction }) => ({ kind, id: transaction.transaction_id }));

/** Hand items over in lists, a few at once. */
const inLists = async <Item>(items: readonly Item[], work: (list: readonly Item[]) => Promise<unknown>) => {
  const lists = batchesOf(items, LIST);
  const worker = async () => {
    for (const list of lists) await work(list);
  };
  await Promise.all(Array.from({ length: LISTS_AT_ONCE }, worker));
};

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
    inLists(transactions, service.createMany),
  );
  await measured('service: show', { rows: count, unit: 'orders' }, () => inLists(names, service.showMany));
  await database.close();
});
