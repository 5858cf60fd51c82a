import {
  add,
  extractSales,
  formatMoney,
  loadConfiguration,
  type Money,
  parsePeriod,
  postedSalesOf,
  withClose,
  ZERO,
} from 'tieout';

/**
 * Prints what a shop charged in each state in a period, straight from its exports. The tax service calculates and
 * records nothing. Days of a locked period add nothing: their sales are filed.
 */
const [config = 'tieout.yaml', label = ''] = process.argv.slice(2);
const period = parsePeriod(label);
if (!period) throw new Error(`"${label}" is not a filing period`);

const byState = new Map<string, Money>();
await withClose(await loadConfiguration(config), process.env, async (close) => {
  await extractSales(close, () => {});
  for await (const { sales } of postedSalesOf(close.workspace, period))
    for (const { sale } of sales) {
      const { state } = sale.shipTo;
      byState.set(state, add(byState.get(state) ?? ZERO, sale.salesTax));
    }
});

for (const [state, tax] of [...byState].sort(([, left], [, right]) => right - left))
  process.stdout.write(`${state} ${formatMoney(tax).padStart(12)}\n`);
