import { acceptTransaction } from '../../../contract/accept-transaction.ts';
import type { NewTransaction, Order, Refund } from '../../../contract/transaction.ts';
import { type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { type FilingPeriod, isWithin } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { reversedFigures } from '../../periods/reversed-figures.ts';
import { adjustedRefund, compareRefund } from '../../reconcile/adjusted-refund.ts';
import { compareRecord } from '../../reconcile/compare-record.ts';
import { type ReconciledSale, reconcileSale, type Status } from '../../reconcile/reconciled-sale.ts';
import { type Sale, taxLinesOf } from '../../sales/sale.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import { type Expectation, expectationsOf } from '../../workspace/expectation-of.ts';
import { byKey, postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import type { SettledSale } from '../../workspace/settled-sale.ts';
import { byDays } from '../batches/by-days.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { noteMissing } from '../note-missing.ts';
import { overrideOf } from '../override-of.ts';
import { reliefOf } from '../recompute/relief.ts';
import { secondOpinionOf } from '../second-opinion-of.ts';
import { hasTodaysRates } from '../todays-rates.ts';
import { adjustmentsOf } from './adjustments-of.ts';
import { withExemption } from './with-exemption.ts';

export type ReconcileFigures = Readonly<Record<Status, number>>;

const NONE: ReconcileFigures = {
  'tied out': 0,
  explained: 0,
  unexplained: 0,
  'recorded otherwise': 0,
  'not recorded': 0,
  'not calculated': 0,
};

/** Set the three figures of every posted sale side by side, and explain to the cent what differs. */
export const reconcileSales = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<ReconcileFigures>> => {
  const counts =
    (await byDays(ports, { stage: 'reconcile', period, counted: NONE }, advanced)) ??
    (await reconcilePages(ports, period, postedSalesOf(ports.workspace, period), advanced));
  const shown = Object.entries(counts).filter(([status, count]) => count > 0 || status === 'tied out');
  return { value: counts, summary: shown.map(([status, count]) => `${count} ${status}`).join(', ') };
};

/** Reconcile these pages of posted sales of the period. */
export const reconcilePages = async (
  ports: ClosePorts,
  period: FilingPeriod,
  pages: AsyncIterable<readonly SettledSale[]>,
  advanced: Advanced,
): Promise<ReconcileFigures> => {
  const counts: Record<Status, number> = { ...NONE };
  let done = 0;
  for await (const page of pages) {
    const rows = await reconciledPage(ports, period, page);
    for (const { figures } of rows) counts[figures.status] += 1;
    done += page.length;
    advanced(done);
  }
  return counts;
};

/** Reconcile a page, and keep the figures of each sale. */
const reconciledPage = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: readonly SettledSale[],
): Promise<readonly { readonly key: string; readonly figures: ReconciledSale }[]> => {
  const { entity } = ports.workspace;
  const sales = page.map(({ sale }) => sale);
  const keys = sales.map(({ key }) => key);
  const expectations = await expectationsOf(ports.workspace, keys);
  const submissions = await submissionsOf(ports, page);
  const adjustments = await adjustmentsOf(ports, keys);
  const relief = await reliefOf(ports, sales);
  const recorded = await recordsOf(ports, page, [...adjustments.values()].flat());
  const reconciled = page.map((stored) => {
    const { key } = stored.sale;
    const figures = reconcile(ports, stored, period, {
      expectation: expectations.get(key),
      recorded: recorded.get(recordName(ports, stored.sale)),
      adjustments: (adjustments.get(key) ?? []).flatMap(
        (id) => recorded.get(recordName(ports, { ...stored.sale, id })) ?? [],
      ),
      refusal: submissions.get(key)?.detail ?? '',
    });
    return { key, figures: withExemption(figures, stored, relief.get(key)) };
  });
  await ports.workspace.upsert(
    'reconciled',
    reconciled.map(({ key, figures }) => ({ entity, key, body: JSON.stringify(figures) })),
  );
  const gone = sales.filter((sale) => !recorded.has(recordName(ports, sale)));
  await noteMissing(
    ports,
    gone.map(({ key }) => key),
  );
  return reconciled;
};

const submissionsOf = async ({ workspace, serviceName }: ClosePorts, page: readonly StoredSale[]) => {
  if (page.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('submission')
    .select(['key', 'detail'])
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where(
      'key',
      'in',
      page.map(({ sale }) => sale.key),
    )
    .execute();
  return byKey(rows);
};

/** A record of the service by what identifies it there. */
const recordName = ({ configuration }: ClosePorts, sale: Sale): string =>
  `${providerOf(configuration, sale.channel)}/${sale.kind}/${sale.id}`;

const recordsOf = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
  adjustments: readonly string[],
): Promise<ReadonlyMap<string, Order | Refund>> => {
  if (page.length === 0) return new Map();
  const { workspace, serviceName, configuration } = ports;
  const providers = new Set(page.map(({ sale }) => providerOf(configuration, sale.channel)));
  const ids = [...page.map(({ sale }) => sale.id), ...adjustments];
  const rows = await workspace.tables
    .selectFrom('recorded')
    .select(['kind', 'id', 'provider', 'body'])
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('provider', 'in', [...providers])
    .where('kind', 'in', ['order', 'refund'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ provider, kind, id, body }) => [
      `${provider}/${kind}/${id}`,
      JSON.parse(body) as Order | Refund,
    ]),
  );
};

const reconcile = (
  ports: ClosePorts,
  { sale, late }: StoredSale,
  period: FilingPeriod,
  given: {
    readonly expectation: Expectation | undefined;
    readonly recorded: Order | Refund | undefined;
    readonly adjustments: readonly Refund[];
    readonly refusal: string;
  },
): ReconciledSale => {
  const { configuration } = ports;
  const { expectation, recorded, adjustments, refusal } = given;
  const known = expectation && expectation.basis !== 'refused' ? expectation : undefined;
  const transaction = transactionOf(
    sale,
    providerOf(configuration, sale.channel),
    configuration.shipFrom,
    known?.result,
  );
  const differences = recorded ? differencesOf({ kind: sale.kind, transaction }, recorded, adjustments) : [];
  if (late && late.takesBack !== null) {
    const filed = JSON.parse(late.takesBack) as ReconciledSale;
    return reversedFigures(filed, { recorded, differences, detail: refusal });
  }
  const isOfToday =
    known?.basis === 'calculated' && hasTodaysRates(configuration.service, sale, known.result);
  return reconcileSale({
    kind: sale.kind,
    state: sale.shipTo.state,
    collected: sale.salesTax,
    shipping: sale.shipping,
    amount: sale.amount,
    lines: sale.lines,
    taxLines: taxLinesOf(sale),
    isClaimedExempt: isExemption(sale.exemptionType),
    registeredInPeriod: registeredIn(configuration, period, sale),
    override: overrideOf(configuration, sale),
    expectation: known,
    hasTodaysRates: isOfToday,
    secondOpinion: known?.basis === 'calculated' && !isOfToday ? secondOpinionOf(ports, sale) : undefined,
    recorded: recorded && adjustedRefund(recorded, adjustments),
    differences,
    detail: expectation?.basis === 'refused' ? expectation.detail : refusal,
  });
};

const isExemption = (type: Sale['exemptionType']): boolean =>
  type === 'wholesale' || type === 'government' || type === 'other';

const registeredIn = (
  { registrations }: ClosePorts['configuration'],
  period: FilingPeriod,
  { shipTo }: Sale,
): CalendarDate | undefined => {
  const since = registrations.find(({ state }) => state === shipTo.state)?.since;
  return since !== undefined && isWithin(period, calendarDate(since)) ? calendarDate(since) : undefined;
};

const differencesOf = (sent: NewTransaction, recorded: Order | Refund, adjustments: readonly Refund[]) =>
  sent.kind === 'order'
    ? compareRecord(acceptTransaction(sent), recorded, 'order')
    : compareRefund(acceptTransaction(sent), recorded, adjustments);
