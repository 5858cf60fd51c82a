import { add, formatMoney, type Money, sum, ZERO } from '../../../../kernel/money.ts';
import { shownNumber } from '../../../../kernel/shown-figures.ts';
import { usRegionCode } from '../../../../kernel/us-regions.ts';
import type { Sale, SaleFinding } from '../../../sales/sale.ts';
import { stateFeesOf } from '../../../sales/state-fees.ts';
import { type OrderReport, type ReportedOrder, reportOf, withReport } from '../../../sales/tax-report.ts';
import { orderRows, unreportedOrders } from '../../../workspace/load-sales.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import { reportedOrders } from '../../../workspace/tax-reports.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import type { ReadFile } from '../reading/read-file.ts';
import { isStateFee } from '../reading/state-law.ts';
import type { LoadedCompanion } from './load-companion.ts';

/**
 * Add the taxes by jurisdiction of a channel's tax reports to its orders, and compare the two. Only orders that this
 * load has read are changed.
 *
 * @returns findings on the reports, by file
 */
export const useTaxReports = async (
  load: OpenLoad,
  companions: readonly LoadedCompanion[],
): Promise<ReadonlyMap<ReadFile, readonly SaleFinding[]>> => {
  const report = companions.find(({ kind }) => kind === 'tax-report');
  if (!report) return new Map();
  const { workspace } = load;
  const tally = reportTally();
  for await (const said of reportedOrders(load)) {
    const rows = await orderRows(load, [...said.keys()]);
    const orders = await salesByKey(
      workspace,
      [...rows.values()].map(({ key }) => key),
    );
    const drafts: SaleWithText[] = [];
    for (const [id, lines] of said) {
      const told = reportOf(lines);
      const row = rows.get(id);
      const order = row && orders.get(row.key);
      const used = order && withReport({ order, refunded: row.refunded as Money }, told, isStateFee);
      tally.reported(told, used && { ...used, before: order });
      if (!used || row?.load !== load.number) continue;
      const { refunded, file, controls } = row;
      const more = { refunded: refunded as Money, file, controls };
      drafts.push(saleRow(ownerOf(load), used.order, more));
    }
    await workspace.together((within) => putSales(within, drafts));
  }
  for await (const keys of unreportedOrders(load)) {
    const orders = await salesByKey(workspace, keys);
    for (const order of orders.values()) tally.unreported(order);
  }
  return new Map([[report.file, tally.notices()]]);
};

type Side = { orders: number; tax: Money };

type Orders = { count: number; readonly names: string[] };

type Difference = 'only in the report' | 'only in the exports' | 'with another tax';

type Differences = Readonly<Record<Difference, Orders>>;

type State = { readonly report: Side; readonly exports: Side; readonly differences: Differences };

/** The most orders that are named for each difference. */
const NAMED_MAX = 3;

/** Adds up, by state, the orders with tax in the tax reports and in the exports. */
const reportTally = () => {
  const states = new Map<string, State>();
  let returned = 0;
  const stateOf = (code: string): State => {
    const known = states.get(code) ?? {
      report: { orders: 0, tax: ZERO },
      exports: { orders: 0, tax: ZERO },
      differences: {
        'only in the report': noOrders(),
        'only in the exports': noOrders(),
        'with another tax': noOrders(),
      },
    };
    states.set(code, known);
    return known;
  };
  const differs = ({ differences }: State, difference: Difference, name: string): void => {
    const orders = differences[difference];
    orders.count += 1;
    if (orders.names.length < NAMED_MAX) orders.names.push(name);
  };
  const count = (side: Side, tax: Money): void => {
    side.orders += 1;
    side.tax = add(side.tax, tax);
  };
  return {
    /** Counts an order of the report, with its sale if the exports have one. */
    reported: (report: OrderReport, found: (ReportedOrder & { readonly before: Sale }) | undefined): void => {
      const collected = found ? taxOf(found.before) : ZERO;
      if ((found && !isCounted(found.before)) || (report.tax === ZERO && collected === ZERO)) return;
      if (found?.compares === 'net of returns') {
        returned += 1;
        return;
      }
      const said = usRegionCode(report.state) ?? report.state;
      const state = stateOf(said === '' ? (found?.before.shipTo.state ?? '') : said);
      count(state.report, report.tax);
      if (!found) {
        differs(state, 'only in the report', report.name);
        return;
      }
      const own = stateOf(found.before.shipTo.state);
      count(own.exports, collected);
      if (own !== state) {
        differs(state, 'only in the report', report.name);
        differs(own, 'only in the exports', report.name);
      } else if (found.compares === 'differs') differs(state, 'with another tax', report.name);
    },
    /** Counts an order of the exports that is not in any report. */
    unreported: (order: Sale): void => {
      if (!isCounted(order) || taxOf(order) === ZERO) return;
      const state = stateOf(order.shipTo.state);
      count(state.exports, taxOf(order));
      differs(state, 'only in the exports', order.origin.record);
    },
    notices: (): readonly SaleFinding[] => [
      ...agreement(states, returned),
      ...[...states].flatMap(differing),
    ],
  };
};

const noOrders = (): Orders => ({ count: 0, names: [] });

const isCounted = ({ shipTo, currency }: Sale): boolean => shipTo.country === 'US' && currency === 'USD';

const taxOf = (sale: Sale): Money => sum([sale.salesTax, sale.marketplaceTax, stateFeesOf(sale)]);

const agreement = (states: ReadonlyMap<string, State>, returned: number): readonly SaleFinding[] => {
  const equal = [...states.values()].filter(({ differences }) => namesOf(differences).length === 0);
  const whole = { orders: 0, tax: ZERO };
  for (const { report } of equal) {
    whole.orders += report.orders;
    whole.tax = add(whole.tax, report.tax);
  }
  const net =
    returned === 0
      ? ''
      : `; ${shownNumber(returned, 'order')} of which something was given back left out, because the report is net of returns`;
  const message = `${shownNumber(equal.length, 'state')} with ${told(whole)} as in the exports${net}`;
  return [{ code: 'tax-report-agrees', message }];
};

const namesOf = (differences: Differences): readonly (readonly [string, Orders])[] =>
  Object.entries(differences).filter(([, { count }]) => count > 0);

const told = ({ orders, tax }: Side): string =>
  `${shownNumber(orders, 'order')} and ${formatMoney(tax)} of tax`;

const differing = ([state, { report, exports, differences }]: readonly [
  string,
  State,
]): readonly SaleFinding[] => {
  const found = namesOf(differences);
  if (found.length === 0) return [];
  const named = found.map(([what, { count, names }]) => {
    const more = count > names.length ? ` and ${count - names.length} more` : '';
    return `${what}: ${names.join(', ')}${more}`;
  });
  const where = state === '' ? 'no state' : state;
  const message = `${where}: ${told(report)} in the report, ${told(exports)} in the exports; ${named.join('; ')}`;
  return [{ code: 'tax-report-totals', message }];
};
