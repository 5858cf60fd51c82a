import {
  add,
  type ClosePorts,
  definePipeline,
  extractSales,
  formatMoney,
  type Money,
  PeriodParam,
  postedSalesOf,
  ZERO,
  z,
} from 'tieout';

/**
 * A pipeline of one's own: what the shop charged in the states that charged most, straight from the exports. Nothing
 * is asked of the tax service and nothing is recorded. Days of a locked period add nothing: their sales are filed.
 */
export const taxByState = definePipeline(
  'tax-by-state',
  z.strictObject({ period: PeriodParam, top: z.int().min(1).default(5) }),
  async (run, close: ClosePorts, { period, top }) => {
    await run.stage('extract', (advanced) => extractSales(close, advanced));

    const taxes = await run.stage('add up', async (advanced) => {
      const byState = new Map<string, Money>();
      let done = 0;
      for await (const { sales } of postedSalesOf(close.workspace, period)) {
        for (const { sale } of sales) {
          const { state } = sale.shipTo;
          byState.set(state, add(byState.get(state) ?? ZERO, sale.salesTax));
        }
        done += sales.length;
        // What is done so far is safe: here the run may be stopped.
        advanced(done);
      }
      return { value: [...byState], summary: `${done} sales in ${byState.size} states` };
    });

    return taxes
      .sort(([, left], [, right]) => right - left)
      .slice(0, top)
      .map(([state, tax]) => `${state} ${formatMoney(tax).padStart(12)}`)
      .join('\n');
  },
);
