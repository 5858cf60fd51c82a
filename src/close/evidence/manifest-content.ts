import { formatMoney, formatRate } from '../../kernel/money.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import {
  acceptedExceptions,
  openExceptions,
  type PeriodReport,
  seenExceptions,
} from '../figures/period-report.ts';
import { type PriorPeriodState, priorPeriodStates } from '../figures/prior-period-states.ts';
import { type UnreturnedRow, unreturnedRows } from '../figures/unreturned.ts';
import { type Cluster, clustersOf } from '../reconcile/clusters.ts';
import { wasRead } from '../reconcile/input-exceptions.ts';
import type { StatedReason, StateTotals } from '../reconcile/period-totals.ts';
import type { DrawnBooks } from '../report/draw-books.ts';
import type { ClusterFigures, InputFigures, ManifestContent, ReasonFigures, StateSums } from './manifest.ts';

/** What a period leaves to others, and to the next close of its own. It stands in the manifest. */
export type Leaves = Pick<PeriodReport, 'states' | 'reasons' | 'remittances' | 'readiness'> & {
  readonly kept: readonly PriorPeriodState[];
  /** Tax collected in states without a return; absent if there is none. */
  readonly unreturned?: readonly UnreturnedRow[];
  /** Digest of what the books of a period that is not over were drawn from, but for their day. */
  readonly drawnFrom?: string;
};

/** Returns what follows from the books. */
export const leavesOf = ({ report, filing }: DrawnBooks, figures: FilingFigures): Leaves => {
  const { states, reasons, remittances, readiness } = report;
  const unreturned = unreturnedRows(report);
  return {
    ...{ states, reasons, remittances, readiness, kept: priorPeriodStates(report, figures, filing) },
    ...(unreturned.length > 0 && { unreturned }),
  };
};

/** The parts of the manifest that follow from the report alone. */
export type ReportFigures = Pick<
  ManifestContent,
  | 'program'
  | 'seller'
  | 'entity'
  | 'period'
  | 'timeZone'
  | 'service'
  | 'inputs'
  | 'states'
  | 'reasons'
  | 'clusters'
  | 'exceptions'
>;

export const reportFigures = (report: PeriodReport): ReportFigures => {
  const { program, seller, entity, period, timeZone, service, exceptions } = report;
  const [open, accepted] = [openExceptions(report).length, acceptedExceptions(report).length];
  return {
    program,
    seller,
    entity,
    period: { label: period.label, first: period.first, last: period.last },
    timeZone,
    service,
    inputs: report.inputs.filter(wasRead).map(inputFigures),
    states: report.states.map(stateSums),
    reasons: report.reasons.map(reasonFigures),
    clusters: clustersOf(exceptions).map(clusterFigures),
    exceptions: { open, accepted, seen: seenExceptions(report) },
  };
};

/** Returns the figures of a state for the manifest. */
const stateSums = (totals: StateTotals): StateSums => ({
  state: totals.state,
  orders: totals.orders,
  refunds: totals.refunds,
  gross: formatMoney(totals.gross),
  shipping: formatMoney(totals.shipping),
  taxable: formatMoney(totals.taxable),
  collected: formatMoney(totals.collected),
  expected: formatMoney(totals.expected),
  recorded: formatMoney(totals.recorded),
});

/** Returns an input file's figures for the manifest. */
const inputFigures = (file: InputFigures): InputFigures => ({
  channel: file.channel,
  path: file.path,
  profile: file.profile,
  sha256: file.sha256,
  bytes: file.bytes,
  rows: file.rows,
  used: file.used,
  ignored: file.ignored,
  rejected: file.rejected,
});

/** Returns the figures of a reason for the manifest. */
const reasonFigures = ({ code, sales, over, under }: StatedReason): ReasonFigures => ({
  code,
  sales,
  over: formatMoney(over),
  under: formatMoney(under),
});

/** Returns the exceptions of one cause and place for the manifest and `--json`. */
export const clusterFigures = ({ shop, own, ...cluster }: Cluster): ClusterFigures => ({
  code: cluster.code,
  state: cluster.state,
  where: cluster.where,
  shop: shop === null ? null : formatRate(shop),
  tieout: own === null ? null : formatRate(own),
  part: cluster.part,
  records: cluster.records,
  open: cluster.open,
  effect: formatMoney(cluster.effect),
});
