import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { canonicalJson, type Json, jsonIn } from '../kernel/json.ts';
import { parseVersion } from '../kernel/period.ts';
import { exists, sha256OfFile } from '../runtime/publish-folder.ts';
import { type LoggedFrame, readFrame } from './frame.ts';
import { keyCollector } from './keys.ts';
import { LOCK_FILE } from './lock-line.ts';
import { LOG_NAMES, logPath, type RowCounts, readLog } from './log-file.ts';
import {
  derivationIn,
  MANIFEST_PATH,
  Manifest,
  type ManifestContent,
  type NamedFile,
  type Problem,
  type ReportFigures,
  reportFigures,
} from './manifest.ts';
import { type PeriodSums, periodSums } from './period-sums.ts';
import { countLines, entryProblem, readEntries } from './read-entries.ts';
import { detailRows, reportOf } from './reduce.ts';
import type { Stray } from './stray.ts';

/** A larger manifest is not one of Tieout's and is not read into memory. */
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

/** Reads the manifest of a folder, or returns why it cannot be used. */
export const readManifest = async (folder: string): Promise<Manifest | string> => {
  let text: string;
  try {
    const about = await lstat(join(folder, MANIFEST_PATH));
    if (!about.isFile()) return `${MANIFEST_PATH} is not a file`;
    if (about.size > MANIFEST_BYTES_MAX) return `${MANIFEST_PATH} is larger than any manifest`;
    text = await readFile(join(folder, MANIFEST_PATH), 'utf8');
  } catch (error) {
    return `${MANIFEST_PATH} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  const parsed = Manifest.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${MANIFEST_PATH} is not a manifest: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}`;
};

/** Checks that the folder has exactly the manifest's files: no other file, symbolic link, pipe or empty folder. */
export const checkNames = async (folder: string, manifest: Manifest): Promise<Problem> => {
  const { logs, outputs } = manifest.content;
  const named = new Map([...logs, ...outputs].map((file) => [file.path, file]));
  const known = new Set([MANIFEST_PATH, ...named.keys()]);
  if (known.size !== 1 + logs.length + outputs.length) return 'a file is named twice';
  const present = await entriesBelow(folder);
  const odd = present.find(({ entry }) => !entry.isFile() && !entry.isDirectory());
  if (odd) return `${odd.path} is a link or a device, and a folder of evidence holds files only`;
  const paths = new Set(present.flatMap(({ path, entry }) => (entry.isFile() ? [path] : [])));
  const missing = [...known].find((path) => !paths.has(path));
  if (missing !== undefined) return `${missing} is missing`;
  // Signatures and locks come after the manifest.
  known.add(LOCK_FILE);
  const stranger = [...paths].find((path) => !known.has(path));
  if (stranger !== undefined) return `${stranger} is not named by the manifest`;
  const folders = new Set([...known].flatMap(foldersAbove));
  const empty = present.find(({ path, entry }) => entry.isDirectory() && !folders.has(path));
  return empty && `${empty.path} is an empty folder, and not named by the manifest`;
};

/** Checks that each of these files is there and unchanged, byte for byte. */
export const checkBytes = async (folder: string, files: readonly NamedFile[]): Promise<Problem> => {
  for (const { path, bytes, sha256 } of files) {
    if (!(await exists(join(folder, path)))) return `${path} is missing`;
    const { size } = await lstat(join(folder, path));
    if (size === bytes && (await sha256OfFile(join(folder, path))) === sha256) continue;
    if (size !== bytes) return `${path} has ${size} bytes, and the manifest says ${bytes}`;
    return `${path} was changed: its bytes are others`;
  }
  return undefined;
};

/** Lists everything below a folder, sorted by path. Links are listed but not followed. */
const entriesBelow = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ path: relative(folder, join(entry.parentPath, entry.name)), entry }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
};

const foldersAbove = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
};

/** Checks that every log has as many records as the manifest says. Keys of refunded orders are added to `refunded`. */
export const checkRecords = async (
  folder: string,
  { content }: Manifest,
  refunded: Set<string>,
): Promise<Problem> => {
  const paths = content.logs.map(({ path }) => path);
  const wanted = LOG_NAMES.map(logPath);
  if (paths.join() !== wanted.join()) return `the logs are ${paths.join(', ')}, and not ${wanted.join(', ')}`;
  for (const { path, records } of content.logs) {
    const count = await countLines(folder, path, refunded);
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
  /** The rows of Detail, a day at a time. */
  readonly detail: ReturnType<typeof detailRows>['pages'];
  /** The bytes of `evidence/keys.bin`. */
  readonly keys: Iterable<Buffer>;
};

/**
 * Checks that every figure follows from the logs: each sale from what was requested, answered, sent and read back; the
 * report from the sales; and the manifest from the report. The rows of Detail are kept by day, so that the books can
 * be drawn without reading the entries again.
 *
 * @param folderOfDetail for the rows of Detail that memory does not hold
 * @param refunded the keys of the orders that refunds of the period belong to, as `checkRecords` adds them
 */
export const recompute = async (
  folder: string,
  { content }: Manifest,
  folderOfDetail: string,
  refunded: ReadonlySet<string>,
): Promise<Recomputed | string> => {
  const frame = await readFrame(folder);
  const derivation = { ...derivationIn(content), service: frame.service };
  const strays = await straysIn(folder);
  if (typeof strays === 'string') return strays;
  const registrations = frame.configured;
  const sums = periodSums({ ...frame, registrations, refunded });
  const unnamed = new Set([...strays].flatMap(([name, { isNamed }]) => (isNamed ? [] : [name])));
  const detail = detailRows(folderOfDetail);
  const keys = keyCollector(join(folderOfDetail, 'keys'));
  for await (const entry of readEntries(folder)) {
    const problem = entryProblem(entry, derivation, unnamed);
    if (problem !== undefined) return `${entry.sale.key}: ${problem}`;
    keys.add(entry);
    detail.add(sums.add(entry));
  }
  for await (const line of readLog(join(folder, logPath('set-aside'))))
    sums.addAside(line as ChannelSetAside);
  [...strays.values()].forEach(sums.addStray);
  const report = reportOf(frame, sums);
  return (
    checkReport(content, report, sums.rows.counts) ?? {
      sums,
      frame,
      report,
      detail: detail.pages,
      keys: keys.sorted(),
    }
  );
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

/**
 * Checks that the manifest follows from the report.
 *
 * @param inputRows the rows of each input by outcome, as far as they are of the period
 */
export const checkReport = (
  content: ManifestContent,
  report: PeriodReport,
  inputRows: ReadonlyMap<string, Readonly<RowCounts>>,
): Problem =>
  membersProblem(reportFigures(report), content) ??
  periodProblem(content) ??
  inputsProblem(report, inputRows);

const membersProblem = (computed: ReportFigures, content: ManifestContent): Problem => {
  for (const [name, value] of Object.entries(computed)) {
    const problem = firstDifference(name, value, content[name as keyof ReportFigures]);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** Checks that the dates follow from the label. */
const periodProblem = ({ period }: ManifestContent): Problem => {
  const dates = parseVersion(period.label);
  if (!dates) return `the manifest is of ${period.label}, which is not a period`;
  return firstDifference('period', dates, period);
};

/** Checks that every row of a file is used, ignored or rejected, and that its counts cover those of the period. */
const inputsProblem = ({ inputs }: PeriodReport, inputRows: Parameters<typeof checkReport>[2]): Problem => {
  for (const input of inputs) {
    const { channel, path, rows, used, ignored, rejected } = input;
    if (used + ignored + rejected !== rows)
      return `${path}: ${rows} rows were read, and ${used + ignored + rejected} were used, ignored or rejected`;
    const counted = inputRows.get(`${channel}/${path}`);
    for (const outcome of ['used', 'ignored', 'rejected'] as const)
      if (counted && counted[outcome] > input[outcome])
        return `${path}: ${counted[outcome]} rows of the period are ${outcome}, and of the whole file only ${input[outcome]}`;
  }
  return undefined;
};

/**
 * Describes the first difference from what the manifest states: `leaves.states.2.collected comes to 1075, and the manifest
 * says 100`. `undefined` if they are equal.
 */
export const firstDifference = (what: string, computed: unknown, stated: unknown): Problem => {
  const [left, right] = [plain(computed), plain(stated)];
  if (textOf(left) === textOf(right)) return undefined;
  if (isNested(left) && isNested(right)) {
    const field = Object.keys({ ...left, ...right }).find((key) => textOf(left[key]) !== textOf(right[key]));
    if (field !== undefined) return firstDifference(`${what}.${field}`, left[field], right[field]);
  }
  return `${what} comes to ${textOf(left)}, and the manifest says ${textOf(right)}`;
};

/** Returns a value as it reads back from a file. */
const plain = (value: unknown): Json | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);

const textOf = (value: Json | undefined): string => (value === undefined ? 'nothing' : canonicalJson(value));

const isNested = (value: Json | undefined): value is { readonly [key: string]: Json | undefined } =>
  typeof value === 'object' && value !== null;
