import { join } from 'node:path';
import { batches, inOrder } from '../../runtime/batches.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { type LoggedFrame, readFrame } from './frame.ts';
import { keyCollector } from './keys.ts';
import { logPiece, openLog, readLines, readLog } from './log-file.ts';
import { LOG_NAMES, logPath } from './logs.ts';
import { derivationIn, type Manifest } from './manifest.ts';
import { type PeriodSums, periodSums } from './period-sums.ts';
import { type LinesSettings, type LinesSums, refundedIn, sumsOfLines } from './read-entries.ts';
import { reportOf } from './reduce.ts';
import type { Stray } from './stray.ts';
import type { Problem } from './verify-files.ts';
import { checkReport } from './verify-report.ts';

/** Checks that every log exists and has as many records as the manifest says. */
export const checkRecords = async (folder: string, { content }: Manifest): Promise<Problem> => {
  const paths = content.logs.map(({ path }) => path);
  const wanted = LOG_NAMES.map(logPath);
  if (paths.join() !== wanted.join()) return `the logs are ${paths.join(', ')}, and not ${wanted.join(', ')}`;
  for (const { path, records } of content.logs) {
    let count = 0;
    for await (const _ of readLines(join(folder, path))) count += 1;
    if (count !== records) return `${path} has ${count} records, and the manifest says ${records}`;
  }
  return undefined;
};

/** The results of the logs, the other input of the books, and the report from both. */
export type Recomputed = {
  readonly sums: PeriodSums;
  readonly frame: LoggedFrame;
  /** The report before the decision whether the period can be filed, which depends on the returns. */
  readonly report: PeriodReport;
  /** The bytes of `evidence/keys.bin`. */
  readonly keys: Buffer;
};

/** Checks and sums parts of the log of entries, in this thread or in workers. */
export type Summing = {
  /** Maximum number of parts in progress. */
  readonly aheadMax: number;
  readonly sumsOf: (lines: readonly string[]) => Promise<LinesSums>;
};

/** Runs `work` with a way to sum parts of the log of entries, in this thread or in several. */
export type WithSumming = <Result>(
  settings: LinesSettings,
  entries: number,
  work: (summing: Summing) => Promise<Result>,
) => Promise<Result>;

type RecomputeGiven = {
  /** The file for the rows of Detail. */
  readonly detail: string;
  readonly withSumming?: WithSumming | undefined;
};

/** Sums in this thread only. */
export const alone: WithSumming = (settings, _, work) =>
  work({ aheadMax: 0, sumsOf: async (lines) => sumsOfLines(lines, settings) });

/** Lines per part; a line has some thousand characters. */
const LINES_PER_PART = 512;

/**
 * Checks that every figure follows from the logs: each sale from what was requested, answered, sent and read back; the
 * report from the sales; and the manifest from the report. The rows of Detail are stored in a file, so that the books can
 * be drawn without reading the entries again.
 */
export const recompute = async (
  folder: string,
  { content }: Manifest,
  { detail, withSumming = alone }: RecomputeGiven,
): Promise<Recomputed | string> => {
  const frame = await readFrame(join(folder, logPath('report')));
  const derivation = { ...derivationIn(content), service: frame.service };
  const strays = await straysIn(folder);
  if (typeof strays === 'string') return strays;
  const { period, configured: registrations } = frame;
  const sums = periodSums({ ...frame, registrations, refunded: await refundedIn(folder) });
  const count = content.logs.find(({ path }) => path === logPath('entries'))?.records ?? 0;
  const unnamed = [...strays].flatMap(([name, { isNamed }]) => (isNamed ? [] : [name]));
  const settings = { period, registrations, derivation, strays: new Set(unnamed) };
  const keys = keyCollector();
  const joined = { sums, keys };
  const problem = await withSumming(settings, count, (summing) => joinLines(folder, detail, joined, summing));
  if (problem !== undefined) return problem;
  for await (const line of readLog(join(folder, logPath('set-aside'))))
    sums.addAside(line as ChannelSetAside);
  [...strays.values()].forEach(sums.addStray);
  const report = reportOf(frame, sums);
  return checkReport(content, report, sums.rows.counts) ?? { sums, frame, report, keys: keys.bytes() };
};

/** Returns the records of no sale by provider, kind and id, or the name of one that stands twice. */
const straysIn = async (folder: string): Promise<ReadonlyMap<string, Stray> | string> => {
  const strays = new Map<string, Stray>();
  for await (const line of readLog(join(folder, logPath('strays')))) {
    const stray = line as Stray;
    const name = `${stray.provider}/${stray.kind}/${stray.id}`;
    if (strays.has(name)) return `${name} stands twice in the log of strays`;
    strays.set(name, stray);
  }
  return strays;
};

/** Joins the sums of the entries of a folder in one pass, or returns the problem of an entry. */
const joinLines = async (
  folder: string,
  detailPath: string,
  { sums, keys }: { readonly sums: PeriodSums; readonly keys: ReturnType<typeof keyCollector> },
  { aheadMax, sumsOf }: Summing,
): Promise<Problem> => {
  const lines = readLines(join(folder, logPath('entries')));
  const detail = openLog(detailPath);
  try {
    for await (const part of inOrder(batches(lines, LINES_PER_PART), aheadMax, sumsOf)) {
      if (typeof part === 'string') return part;
      sums.join(part.sums);
      keys.join(part.keys);
      await detail.write(logPiece([part.detail]));
    }
    await detail.close();
  } finally {
    await detail.discard();
  }
  return undefined;
};
