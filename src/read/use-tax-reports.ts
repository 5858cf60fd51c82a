import type { Sale, SaleFinding } from '../close/sales/sale.ts';
import { stateFeesOf } from '../close/sales/settle-amounts.ts';
import type { OrderReport, ReportedOrder } from '../close/sales/tax-report.ts';
import { add, formatMoney, type Money, sum, ZERO } from '../kernel/money.ts';
import { compareKeys, shownNumber } from '../kernel/text.ts';
import { usRegionCode } from '../kernel/us-regions.ts';

type Side = { orders: number; tax: Money };

/** The most orders that are named for each difference. */
const NAMED_MAX = 3;

/** Adds up the orders with tax in the tax reports, and their tax in the exports, and names those that differ. */
export const reportTally = () => {
  const report: Side = { orders: 0, tax: ZERO };
  const exports: Side = { orders: 0, tax: ZERO };
  const differences: { readonly id: string; readonly what: string; readonly name: string }[] = [];
  let returned = 0;
  const count = (side: Side, tax: Money): void => {
    side.orders += 1;
    side.tax = add(side.tax, tax);
  };
  return {
    /** Counts an order of the report, with its sale if the exports have one. */
    reported: (
      id: string,
      { name, tax, state }: OrderReport,
      found: (ReportedOrder & { readonly before: Sale }) | undefined,
    ): void => {
      const collected = found ? taxOf(found.before) : ZERO;
      if ((found && !isCounted(found.before)) || (tax === ZERO && collected === ZERO)) return;
      if (found?.compares === 'net of returns') {
        returned += 1;
        return;
      }
      count(report, tax);
      const differs = (what: string) => differences.push({ id, what, name });
      if (!found) {
        differs('only in the report');
        return;
      }
      count(exports, collected);
      const said = usRegionCode(state) ?? state;
      if (said !== '' && said !== found.before.shipTo.state) differs('in another state');
      else if (found.compares === 'differs') differs('with another tax');
    },
    notices: (): readonly SaleFinding[] => {
      const net =
        returned === 0
          ? ''
          : `; ${shownNumber(returned, 'order')} of which something was given back left out, because the report is net of returns`;
      if (differences.length === 0)
        return [{ code: 'tax-report-agrees', message: `${told(report)} as in the exports${net}` }];
      const inOrder = differences.toSorted((one, other) => compareKeys(one.id, other.id));
      const named = [...Map.groupBy(inOrder, ({ what }) => what)].map(([what, found]) => {
        const more = found.length > NAMED_MAX ? ` and ${found.length - NAMED_MAX} more` : '';
        const names = found.slice(0, NAMED_MAX).map(({ name }) => name);
        return `; ${what}: ${names.join(', ')}${more}`;
      });
      const message = `${told(report)} in the report, ${told(exports)} in the exports${named.join('')}${net}`;
      return [{ code: 'tax-report-totals', message }];
    },
  };
};

const isCounted = ({ shipTo, currency }: Sale): boolean => shipTo.country === 'US' && currency === 'USD';

const taxOf = (sale: Sale): Money => sum([sale.salesTax, sale.marketplaceTax, stateFeesOf(sale)]);

const told = ({ orders, tax }: Side): string =>
  `${shownNumber(orders, 'order')} and ${formatMoney(tax)} of tax`;
