import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { setDigest } from '../../../kernel/set-digest.ts';
import { packedRows } from '../../../runtime/packed-rows.ts';
import { type CertificateFinding, findingsOfUsage } from '../../certificates/certificate-findings.ts';
import { type CertificateReport, certificateGatherer } from '../../certificates/certificate-report.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { EvidenceLogs } from '../../evidence/logged.ts';
import { filingFigures } from '../../figures/filing-figures.ts';
import type { GivenBackBeyond } from '../../figures/given-back-beyond.ts';
import type { InputFile } from '../../figures/period-report.ts';
import { detailedPage } from '../../period-sales/detailed-sales.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { lateLines } from '../../periods/late-lines.ts';
import { alikeOrders } from '../../reconcile/alike-orders.ts';
import { correctedFindings } from '../../reconcile/corrected-findings.ts';
import { deniedNexus } from '../../reconcile/denied-nexus.ts';
import { earlierTaxGivenBack } from '../../reconcile/earlier-tax.ts';
import type { ExceptionList } from '../../reconcile/exception-list.ts';
import { channelTotals } from '../../reconcile/expected-totals.ts';
import { emptyTotals, joinTotals } from '../../reconcile/period-totals.ts';
import type { Repayment } from '../../reconcile/refund-link.ts';
import { entryOf, type Replacements, replacements } from '../../sales/corrections.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { lateOn } from '../../workspace/carried-sales.ts';
import { registerFilesOf } from '../../workspace/certificate-files.ts';
import { openSlotOf } from '../../workspace/sale-page.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { bookPage } from '../book-pages/book-page.ts';
import type { ExemptFinding, ExemptSales } from '../book-pages/exempt-sales.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { inputOf } from './companion-input.ts';
import { lateOrders } from './late-orders.ts';
import { REFUNDS_AT_ONCE, refundedOrders } from './refund-links.ts';

/** The totals of a period's sales, added up from its pages while these are logged. */
export type GatheredSales = Awaited<ReturnType<typeof gatherSales>>;

export const gatherSales = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { logs, exceptions }: { readonly logs: EvidenceLogs; readonly exceptions: ExceptionList },
) => {
  const { workspace } = ports;
  const totals = emptyTotals();
  const channels = channelTotals(period);
  const [figures, stated] = [setDigest(), setDigest()];
  const carried = lateLines();
  const corrected = lateOrders();
  const earlier = earlierTaxGivenBack(period);
  const replaced = replacements();
  const findings = correctedFindings(await lateOn(workspace, period));
  const certificates = await exemptionGatherer(workspace, period, replaced);
  const filing = filingFigures(ports.configuration.registrations, period);
  const orders = await refundedOrders(workspace, period);
  const refunds = packedRows<Repayment>(REFUNDS_AT_ONCE);
  const beyond: GivenBackBeyond[] = [];
  const alike = alikeOrders();
  const denied = deniedNexus();
  let todaysRates = 0;
  const hasChannels = ports.configuration.channels.length > 1;
  for await (const page of salesOf(workspace, period)) {
    const { sales, questions, records, sums } = await bookPage(ports, period, page);
    await logs.write({ sales, questions: logPiece(questions), records: logPiece(records) });
    joinTotals(totals, sums.totals);
    channels.join(sums.channels);
    figures.join(sums.figures);
    stated.join(sums.stated);
    certificates.join(sums.exempt, sums.totals.rows);
    filing.join(sums.filing);
    for (const found of sums.found) findings.see(found).forEach(exceptions.add);
    refunds.add(sums.refunds);
    beyond.push(...sums.beyond);
    for (const [key, order] of sums.orders) {
      orders.see(key, order);
      if (hasChannels) alike.see({ ...order, key, channel: nameOfKey(key).channel });
    }
    todaysRates += sums.todaysRates;
    denied.join(sums.denied);
    // Records carried into the period are on separate pages.
    if (openSlotOf(page.slot)) continue;
    for (const { row, late } of (await detailedPage(workspace, page)).sales) {
      if (!late) continue;
      carried.add(row, late);
      corrected.add(row, late);
      earlier.seeRow(row);
      replaced.see(entryOf(row));
    }
  }
  findings.judged().forEach(exceptions.add);
  return {
    ...{ totals, channels, figures, stated, carried, certificates, filing },
    ...{ orders, refunds, beyond, todaysRates, denied, alike: alike.found(), earlier, replaced },
    lateOrders: corrected.all(),
  };
};

/**
 * Collects the exempt sales of a period page by page, and reports on their exemptions. A version that a reversal of the
 * period takes back asks for no certificate, as the reversal does not.
 */
type ExemptionGatherer = {
  /** @param rows the number of sales on the page */
  readonly join: (page: ExemptSales, rows: number) => void;
  readonly report: () => CertificateReport;
  readonly findings: () => readonly CertificateFinding[];
  /** The files of the register among the inputs. */
  readonly inputs: readonly InputFile[];
};

const exemptionGatherer = async (
  workspace: Workspace,
  period: FilingPeriod,
  replaced: Replacements,
): Promise<ExemptionGatherer> => {
  const files = await registerFilesOf(workspace);
  const register = files.length === 0 ? undefined : files.flatMap(({ certificates }) => certificates);
  const gatherer = certificateGatherer(register, period.last);
  const problems = files.flatMap((file) =>
    file.problems.map((problem): CertificateFinding => ({ ...problem, state: '', effect: ZERO })),
  );
  const found: ExemptFinding[] = [];
  const isTakenBack = (key: string): boolean => replaced.isReplaced(entryOf(nameOfKey(key)));
  let before = 0;
  return {
    join: ({ sales, findings }, rows) => {
      for (const sale of sales) gatherer.add({ ...sale, position: before + sale.position });
      found.push(...findings);
      before += rows;
    },
    report: gatherer.report,
    findings: () => {
      const report = gatherer.report();
      return [
        ...problems,
        ...found.flatMap(({ key, finding }) => (isTakenBack(key) ? [] : finding)),
        ...report.usages.flatMap((usage) => findingsOfUsage(usage, period)),
      ];
    },
    inputs: files.map((file) => inputOf(file, 'certificates')),
  };
};
