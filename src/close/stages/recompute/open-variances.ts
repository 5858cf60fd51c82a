import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { TaxResult } from '../../../contract/tax-result.ts';
import { calendarDate, daysFrom } from '../../../kernel/calendar.ts';
import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { explainVariance, isExempt, isUnexplained } from '../../reconcile/explain-variance.ts';
import { NOTHING_DUE } from '../../reconcile/nothing-due.ts';
import { type OpenVariance, openModelOf } from '../../reconcile/open-variance.ts';
import { statedClaims } from '../../reconcile/stated-rates.ts';
import type { Sale } from '../../sales/sale.ts';
import { resultsOf } from '../../workspace/expectation-of.ts';
import { isOpenDetail } from '../../workspace/open-keys.ts';
import { byKey, postedSalesOf } from '../../workspace/sales-of.ts';
import type { SaleCalculationRow } from '../../workspace/tables.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { gapAt } from '../content-gap.ts';
import { nothingDue } from './calculations.ts';

/** An open variance with the row that says what was found of it. */
export type StoredVariance = OpenVariance & { readonly row: SaleCalculationRow };

/** Whether its own calculation leaves open why a sale carries another tax. */
export const isOpenVariance = (
  ports: ClosePorts,
  sale: Sale,
  answer: TaxResult | ServiceRefusal | undefined,
): boolean => {
  if (nothingDue(ports, sale) !== undefined)
    return sale.salesTax !== ZERO && registeredLater(ports, sale) !== undefined;
  if (answer === undefined || answer instanceof ServiceRefusal) return false;
  if (sale.salesTax === answer.amount_to_collect) return false;
  if (isExempt(answer)) return true;
  const open = { sale, expectation: answer, gap: gapAt(ports, sale) };
  if (answer.has_nexus && statedClaims(open, openModelOf(open)).length > 0) return true;
  return isUnexplained(
    explainVariance({
      collected: sale.salesTax,
      shipping: sale.shipping,
      lines: sale.lines,
      expectation: answer,
      alternatives: [],
      search: 'brief',
    }),
  );
};

/** The day on which the duty to collect in the destination begins, when it is soon after the sale. */
export const registeredLater = ({ configuration }: ClosePorts, { shipTo, taxDate }: Sale) => {
  const found = configuration.registrations.find(({ state }) => state === shipTo.state);
  if (found === undefined) return undefined;
  const since = calendarDate(found.since);
  return since > taxDate && daysFrom(taxDate, since) <= SOON_DAYS ? since : undefined;
};

/** The longest filing period there is. */
const SOON_DAYS = 366;

/** Those of these sales that belong to the period and are open, page by page. */
export async function* openVariances(
  ports: ClosePorts,
  period: FilingPeriod,
  keys: readonly string[],
): AsyncGenerator<readonly StoredVariance[]> {
  for (const batch of batchesOf(keys, BATCH_ROWS))
    for await (const page of postedSalesOf(ports.workspace, period, { keys: batch }))
      yield stored(
        ports,
        page.flatMap(({ sale, late }) => ((late?.takesBack ?? null) === null ? [sale] : [])),
      );
}

const stored = async (ports: ClosePorts, sales: readonly Sale[]): Promise<readonly StoredVariance[]> => {
  if (sales.length === 0) return [];
  const { tables, entity } = ports.workspace;
  const rows = byKey(
    await tables
      .selectFrom('sale_calculation')
      .selectAll()
      .where('entity', '=', entity)
      .where(
        'key',
        'in',
        sales.map(({ key }) => key),
      )
      .execute(),
  );
  const results = await resultsOf(
    ports.workspace,
    [...rows.values()].flatMap(({ calculation }) => calculation ?? []),
  );
  return sales.flatMap((sale) => {
    const row = rows.get(sale.key);
    if (!row || !isOpenDetail(row.detail)) return [];
    const expectation = row.basis === 'calculated' ? results.get(row.calculation ?? '') : NOTHING_DUE;
    return expectation ? [{ sale, expectation, gap: gapAt(ports, sale), row }] : [];
  });
};
