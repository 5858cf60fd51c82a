import type { Order, Refund } from '../../../contract/transaction.ts';
import { type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { type Money, negate, subtract, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownCount } from '../../../kernel/shown-figures.ts';
import { rollingWindow } from '../../../runtime/rolling-window.ts';
import { statesText } from '../../certificates/certificate.ts';
import type { Exemption } from '../../certificates/exemption-of.ts';
import { exemptionWord, isExempting } from '../../certificates/exemption-reason.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { detailedSale, type FiguredSale } from '../../period-sales/detailed-sales.ts';
import { type Expectation, expectationsOf } from '../../period-sales/expectation-of.ts';
import { isPostedOpen } from '../../period-sales/sales-of.ts';
import { noteMissing, submittedIn } from '../../period-sales/submitted-sale.ts';
import type { SettledSale } from '../../period-sales/with-settled-exemption.ts';
import { reversedFigures } from '../../periods/reversed-figures.ts';
import { adjustedRefund, recordDifferences } from '../../reconcile/adjusted-refund.ts';
import { type ReconciledSale, reconcileSale, type Status } from '../../reconcile/reconciled-sale.ts';
import { type Sale, taxLinesOf } from '../../sales/sale.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import { digestOfPage, type SalesPage, type StoredSale } from '../../workspace/sale-page.ts';
import { keepPage, pageDigests, readPage } from '../../workspace/stage-pages.ts';
import { keepBookPage } from '../book-pages/book-page.ts';
import { foundOfPage } from '../book-pages/entries-of.ts';
import { reconciledFrom, reconcileInput } from '../inputs/reconciled-from.ts';
import { gapAt } from '../recompute/content-gap.ts';
import { overrideOf } from '../recompute/override-of.ts';
import { isRelieved } from '../recompute/pending-sales.ts';
import { secondOpinionOf } from '../recompute/second-opinion.ts';
import { hasTodaysRates } from '../recompute/todays-rates.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';

export type ReconcileFigures = Readonly<Record<Status, number>>;

export const NONE: ReconcileFigures = {
  'tied out': 0,
  explained: 0,
  unexplained: 0,
  'recorded otherwise': 0,
  'not recorded': 0,
  'not calculated': 0,
};

export const reconcileText = (counts: ReconcileFigures): string =>
  Object.entries(counts)
    .filter(([status, count]) => count > 0 || status === 'tied out')
    .map(([status, count]) => `${shownCount(count)} ${status}`)
    .join(', ');

/** Reconcile the posted sales of these pages of the period, and write the logs for all of them. */
export const reconcilePages = async (
  ports: ClosePorts,
  period: FilingPeriod,
  pages: AsyncIterable<SalesPage<SettledSale>>,
  advanced: Advanced,
): Promise<ReconcileFigures> => {
  const counts: Record<Status, number> = { ...NONE };
  let done = 0;
  await rollingWindow(pages, PAGES_AT_ONCE, async (page) => {
    const rows = await reconcilePage(ports, period, page);
    for (const { figures } of rows) counts[figures.status] += 1;
    done += rows.length;
    advanced(done);
  });
  return counts;
};

/** While one page is compressed, the next one is reconciled. */
const PAGES_AT_ONCE = 2;

/** Reconciles a page and stores the figures of each sale. Returns the stored figures if its inputs are unchanged. */
const reconcilePage = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
): Promise<readonly FiguredSale[]> => {
  const { workspace } = ports;
  const { slot } = page;
  const input = await inputOf(ports, period, page);
  const known = await readPage<FiguredSale>(workspace, 'reconciled', slot);
  if (known?.input === input) return known.rows;
  const sales = page.sales.filter(isPostedOpen);
  if (sales.length === 0) return [];
  const found = await foundOfPage(ports, slot);
  const { submitted, records: recorded } = found;
  const expectations = await expectationsOf(workspace, [...found.calculated.values()]);
  const rows = sales.map((stored): FiguredSale => {
    const { key } = stored.sale;
    const expectation = expectations.get(key);
    const { record, adjustments = [] } = recorded.get(key) ?? { record: undefined };
    const refusal = submitted.get(key)?.detail ?? '';
    const given = { expectation, recorded: record, adjustments, refusal };
    return { key, figures: figuresOfSale(ports, stored, period, given) };
  });
  await keepPage(workspace, 'reconciled', slot, { input, open: 0, rows });
  const gone = sales.flatMap(({ sale: { key } }) => (recorded.has(key) ? [] : [key]));
  await noteMissing(ports, slot, new Set(gone));
  await keepBookPage(ports, period, page, async () => {
    const figures = new Map(rows.map((row) => [row.key, row.figures]));
    const detailed = page.sales.map((stored) => detailedSale(stored, figures.get(stored.sale.key)));
    const now = gone.length === 0 ? found : { ...found, submitted: await submittedIn(ports, slot) };
    return { sales: detailed, found: now };
  });
  return rows;
};

const inputOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  page: SalesPage<SettledSale>,
): Promise<string> => {
  const heads = await pageDigests(ports.workspace, reconciledFrom(ports), page.slot);
  return reconcileInput(ports, period, digestOfPage(page), heads);
};

/** What is known of a sale when its figures are compared. */
type KnownOfSale = {
  readonly expectation: Expectation | undefined;
  readonly recorded: Order | Refund | undefined;
  readonly adjustments: readonly Refund[];
  readonly refusal: string;
};

/** Returns the figures of a sale with its exemption. */
export const figuresOfSale = (
  ports: ClosePorts,
  stored: SettledSale,
  period: FilingPeriod,
  given: KnownOfSale,
): ReconciledSale => {
  const relieved = reliefOf(ports, stored.sale, given.expectation);
  return withExemption(reconcile(ports, stored, period, given), stored, relieved);
};

const reconcile = (
  ports: ClosePorts,
  { sale, late }: StoredSale,
  period: FilingPeriod,
  given: KnownOfSale,
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
  const differences = recorded
    ? recordDifferences({ kind: sale.kind, transaction }, recorded, adjustments)
    : [];
  if (late && late.reversedFigures !== null) {
    const filed = JSON.parse(late.reversedFigures) as ReconciledSale;
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
    partOf: sale.partOf,
    taxLines: taxLinesOf(sale),
    isClaimedExempt: isExemption(sale.exemptionType),
    registeredInPeriod: registeredIn(configuration, period, sale),
    override: overrideOf(configuration, sale),
    expectation: known,
    hasTodaysRates: isOfToday,
    gap: known?.result.amount_to_collect === sale.salesTax ? undefined : gapAt(ports, sale),
    secondOpinion: known?.basis === 'calculated' ? secondOpinionOf(ports, sale, known.result) : undefined,
    recorded: recorded && adjustedRefund(recorded, adjustments),
    differences,
    detail: expectation?.basis === 'refused' ? expectation.detail : refusal,
  });
};

const isExemption = (type: Sale['exemptionType']): boolean =>
  type === 'wholesale' || type === 'government' || type === 'other';

/** Returns the first day of a registration that began during the period, but not on its first day. */
const registeredIn = (
  { registrations }: ClosePorts['configuration'],
  period: FilingPeriod,
  { shipTo }: Sale,
): CalendarDate | undefined => {
  const since = registrations.find(({ state }) => state === shipTo.state)?.since;
  if (since === undefined || since <= period.first || since > period.last) return undefined;
  return calendarDate(since);
};

/**
 * Adds to the figures of an exempt sale the basis of its exemption and the tax it relieves. If tax was charged anyway,
 * the basis is added to the proof.
 */
const withExemption = (
  reconciled: ReconciledSale,
  { sale, exemption }: SettledSale,
  relieved: Money | undefined,
): ReconciledSale => {
  if (!exemption || exemption.standing === 'none' || !isExempting(exemption.type)) return reconciled;
  const { type, standing, certificate, lack } = exemption;
  const signed = relieved === undefined ? null : sale.kind === 'refund' ? negate(relieved) : relieved;
  return {
    ...reconciled,
    reasons: reconciled.reasons.map((reason) =>
      reason.code === 'R07' ? { ...reason, proof: `${reason.proof}; ${groundOf(exemption)}` } : reason,
    ),
    exemption: { type, standing, certificate: certificate?.name ?? null, lack, relieved: signed },
  };
};

const groundOf = ({ certificate, type, lack }: Exemption): string => {
  if (certificate)
    return `certificate ${certificate.name} (${certificate.reason}, ${statesText(certificate)}) holds`;
  return `the export calls it exempt (${exemptionWord(type ?? '')})${lack === '' ? '' : `, but ${lack}`}`;
};

/**
 * Returns the tax that the exemption of a sale relieves, as a positive amount, even for a refund. `undefined` if the
 * sale is not exempt, or the tax is not known because the calls were used up or the service refused to calculate.
 */
const reliefOf = (ports: ClosePorts, sale: Sale, expectation: Expectation | undefined): Money | undefined => {
  if (!isExempting(sale.exemptionType)) return undefined;
  if (!isRelieved(ports, sale)) return ZERO;
  if (!expectation || expectation.basis === 'refused' || !expectation.relief) return undefined;
  return subtract(expectation.relief.amount_to_collect, expectation.result.amount_to_collect);
};
