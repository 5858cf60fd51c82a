import type { FilingPeriod } from '../../../kernel/period.ts';
import { contentDigestOf } from '../../evidence/manifest.ts';
import type { BookReport } from '../../figures/period-report.ts';
import { type PriorPeriodState, priorPeriodStates } from '../../figures/prior-period-states.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import type { DetailLine } from '../../reconcile/detail-row.ts';
import { drawBooks } from '../../report/draw-books.ts';
import { detailLinesOf } from '../book-pages/book-page.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type GatheredReport, gatherReport } from './gather-report.ts';
import type { LogDigests } from './pack-inputs.ts';
import { manifestContentOf, withLogs, writeManifest } from './write-evidence.ts';

/** What the files of a period say, what it was gathered from, and what is kept of it for the periods that follow. */
export type DrawnReport = {
  readonly gathered: GatheredReport;
  readonly report: BookReport;
  readonly kept: readonly PriorPeriodState[];
  readonly logDigests: LogDigests;
};

/**
 * Write every file of a period into an empty folder, from the workspace alone: the same workspace gives the same
 * bytes. Signatures under exactly this content stand in the manifest; those under another do not. Whatever this takes
 * belongs into `DRAWN_FROM`, or a change of it would go unseen.
 *
 * @param accept is given the digest of the content before the manifest is written, and may refuse it
 */
export const renderPack = async (
  ports: ClosePorts,
  period: FilingPeriod,
  folder: string,
  accept: (contentDigest: string) => Promise<void> = async () => {},
): Promise<DrawnReport> => {
  const { result: gathered, ...written } = await withLogs(folder, (logs) =>
    gatherReport(ports, period, logs),
  );
  const { report: undecided, registrations, filing: figures, rejects } = gathered;
  const detail = detailRows(ports, period);
  const books = await drawBooks(folder, { gathered: undecided, registrations, figures, rejects, detail });
  const content = await manifestContentOf(ports, folder, books.report, written.logs);
  const contentDigest = contentDigestOf(content);
  await accept(contentDigest);
  await writeManifest(ports, folder, content);
  const report = { ...books.report, signOff: { contentDigest } };
  const kept = priorPeriodStates(report, figures, books.filing);
  return { gathered, report, kept, logDigests: written.logDigests };
};

/** The rows of Detail, a page of sales at a time. */
async function* detailRows(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<readonly DetailLine[]> {
  for await (const page of salesOf(ports.workspace, period)) yield detailLinesOf(ports, page);
}
