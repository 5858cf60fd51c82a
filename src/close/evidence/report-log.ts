import type { PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import type { Rejects } from '../report/write-rejects.ts';
import { type LogPiece, logPiece, readLog } from './log-file.ts';
import type { EarlierOrder } from './sums.ts';

/** An input with rejected rows, without the rows, which are in the log of set-aside records. */
export type RejectedInput = Omit<Rejects, 'records'>;

/** Parts of the report that follow from the logs of sales, records and refunds, or from the whole; they are not logged. */
const FOLLOWING = [
  ...(['detailRows', 'todaysRates', 'states', 'jurisdictions', 'reasons', 'stateReasons', 'days'] as const),
  ...(['unposted', 'earlierTax'] as const),
  ...(['signOff', 'readiness', 'remittances'] as const),
] as const;

/** The rest of the report. */
export type ReportRest = Omit<PeriodReport, (typeof FOLLOWING)[number]>;

/** `report`: the data from which the books are drawn, besides what follows from the rows of the other logs. */
export type LoggedReport = {
  readonly report: ReportRest;
  readonly registrations: readonly FilingRegistration[];
  readonly rejectedInputs: readonly RejectedInput[];
  /** The orders of refunds that are not among the entries of the period. */
  readonly orders: readonly EarlierOrder[];
};

type Part = keyof LoggedReport;
type Line = { readonly of: Part; readonly name: string; readonly value?: unknown; readonly item?: unknown };

const NOT_LOGGED: ReadonlySet<string> = new Set(FOLLOWING);

const LINES_PER_PIECE = 500;

/** Yields one line per member, or per item of a list, so that lines and pieces do not grow with the period. */
export function* reportPieces(
  report: PeriodReport,
  given: Omit<LoggedReport, 'report'>,
): Generator<LogPiece> {
  let lines: string[] = [];
  for (const line of reportLines(report, given)) {
    lines.push(JSON.stringify(line));
    if (lines.length < LINES_PER_PIECE) continue;
    yield logPiece(lines);
    lines = [];
  }
  yield logPiece(lines);
}

function* reportLines(
  report: PeriodReport,
  { registrations, rejectedInputs, orders }: Omit<LoggedReport, 'report'>,
): Generator<Line> {
  for (const [name, value] of Object.entries(report))
    if (!NOT_LOGGED.has(name)) yield* linesOf('report', name, value);
  yield* linesOf('registrations', '', registrations);
  yield* linesOf('rejectedInputs', '', rejectedInputs);
  yield* linesOf('orders', '', orders);
}

function* linesOf(of: Part, name: string, value: unknown): Generator<Line> {
  if (!Array.isArray(value)) return yield { of, name, value };
  yield { of, name, value: [] };
  for (const item of value as readonly unknown[]) yield { of, name, item };
}

/** Reassembles a report from its log. */
export const readReportLog = async (path: string): Promise<LoggedReport> => {
  const members = new Map<string, unknown>();
  for await (const line of readLog(path)) {
    const { of, name, value, item } = line as Line;
    const place = `${of}/${name}`;
    if (item === undefined) members.set(place, value);
    else (members.get(place) as unknown[]).push(item);
  }
  const own = [...members].filter(([place]) => place.startsWith('report/'));
  const report = Object.fromEntries(own.map(([place, value]) => [place.slice('report/'.length), value]));
  return {
    report: report as ReportRest,
    registrations: members.get('registrations/') as readonly FilingRegistration[],
    rejectedInputs: members.get('rejectedInputs/') as readonly RejectedInput[],
    orders: members.get('orders/') as readonly EarlierOrder[],
  };
};
