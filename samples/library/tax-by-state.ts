import { dirname, join } from 'node:path';
import {
  add,
  formatMoney,
  loadConfiguration,
  type Money,
  parsePeriod,
  postedSales,
  readExports,
  ZERO,
} from 'tieout';

/**
 * Prints what a shop charged in each state in a period, straight from its exports. The tax service calculates and
 * records nothing.
 */
const [config = 'tieout.yaml', label = ''] = process.argv.slice(2);
const period = parsePeriod(label);
if (!period) throw new Error(`"${label}" is not a filing period`);

const exports = await readExports(await loadConfiguration(config), {
  folder: join(dirname(config), '.tieout', 'parts'),
});
const byState = new Map<string, Money>();
for (const sales of postedSales(exports, period))
  for (const { shipTo, salesTax } of sales)
    byState.set(shipTo.state, add(byState.get(shipTo.state) ?? ZERO, salesTax));

for (const [state, tax] of [...byState].sort(([, left], [, right]) => right - left))
  process.stdout.write(`${state} ${formatMoney(tax).padStart(12)}\n`);
