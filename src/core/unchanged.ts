import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecomputeFigures } from '../ask/plan-calculations.ts';
import { workParts } from '../configuration/parts.ts';
import type { DayMarks } from '../contract/tax-service.ts';
import { LOCK_FILE } from '../evidence/lock-line.ts';
import { MANIFEST_PATH } from '../evidence/manifest.ts';
import { readManifest } from '../evidence/verify-files.ts';
import type { Span } from '../judge/period-totals.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { digestOf, type Json } from '../kernel/json.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { type ClosePorts, dayBeforeEnd, periodFolder } from '../periods/close-ports.ts';
import { REGISTER } from '../periods/locks.ts';
import { folderDifferences, sha256OfFile } from '../runtime/publish-folder.ts';
import { profilePlace } from '../sales/detect-profile.ts';
import { FILINGS, isHidden } from '../sales/file-source.ts';
import { expandFiles } from '../sales/survey-file.ts';
import type { SubmitFigures, WrittenReport } from './outcome.ts';

/** What a close rested on, noted in `.tieout/closed/ENTITY/PERIOD.json`. */
type Note = {
  /** Digest of the bytes of all that it read but the service. */
  readonly inputs: string;
  /** SHA-256 of the manifest and of the signatures of the folder; empty for none. */
  readonly folder: readonly string[];
  /** The marks of the days that were listed, and of our own writes since. */
  readonly marks: Readonly<Record<CalendarDate, string>>;
};

/** What a finished close told. */
type Told = {
  readonly written: WrittenReport;
  readonly recomputed: RecomputeFigures;
  readonly submitted: SubmitFigures;
};

const placeOf = ({ state, configuration }: ClosePorts, { label }: Pick<FilingPeriod, 'label'>) => {
  const folder = join(state, 'closed', configuration.entity);
  return { folder, note: join(folder, `${label}.json`), told: join(folder, `${label}-told.json`) };
};

/**
 * Returns what the last close of a period told, if all that it rested on has the same bytes, its days at the service have
 * the same marks, and its folder is as it was published. A service without marks is read.
 *
 * @param inputs the digest of what a close would read now
 */
export const toldBefore = async <Closed extends Told>(
  ports: ClosePorts,
  period: FilingPeriod,
  inputs: string | undefined,
): Promise<Closed | undefined> => {
  const place = placeOf(ports, period);
  const note = await readJson<Note>(place.note);
  if (!note || note.inputs !== inputs || !(await hasMarks(ports, note.marks))) return undefined;
  if (digestOf((await folderOf(ports, period)) ?? []) !== digestOf(note.folder)) return undefined;
  const closed = await readJson<Closed>(place.told);
  if (!closed || !(await isAsPublished(periodFolder(ports, period)))) return undefined;
  const { created, updated, adjusted, unchanged } = closed.submitted;
  const standing = created + updated + adjusted + unchanged;
  const nothing = { created: 0, updated: 0, adjusted: 0, withdrawn: 0 };
  return {
    ...closed,
    recomputed: { ...closed.recomputed, asked: 0, questions: 0 },
    submitted: { ...closed.submitted, ...nothing, unchanged: standing },
  };
};

const hasMarks = async ({ service }: ClosePorts, noted: Note['marks']): Promise<boolean> => {
  const days = Object.keys(noted).sort() as CalendarDate[];
  const marks = await service.dayMarks?.(spanOf(days));
  return marks !== undefined && days.every((day) => markOn(marks, day) === noted[day]);
};

/** The mark of a day; empty where it never had a record. */
const markOn = (marks: DayMarks, day: CalendarDate): string => marks.get(day)?.mark ?? '';

const isAsPublished = async (folder: string): Promise<boolean> => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') return false;
  const { outputs, logs } = manifest.content;
  for await (const { path, what } of folderDifferences(folder, [...outputs, ...logs]))
    if (what !== 'foreign' || (path !== MANIFEST_PATH && path !== LOCK_FILE)) return false;
  return true;
};

/**
 * Begins to watch the days of a close, before anything of them is listed; `undefined` where the service has no marks.
 *
 * Returns what notes on what the close rested, unless others changed its days meanwhile; and in the notes of other periods
 * the marks that its own writes have set. A close with a record of another day in its way rests on more than its days.
 *
 * @param others days of other periods that it writes to, and locked periods that it follows
 */
export const watchDays = async (ports: ClosePorts, period: FilingPeriod, others: readonly Span[]) => {
  const days = [...new Set([period, ...others].flatMap(daysAround))].sort();
  const marksNow = async () => ports.service.dayMarks?.(spanOf(days));
  const before = await marksNow();
  if (!before) return undefined;
  const place = placeOf(ports, period);
  return async (inputs: string, closed: Told): Promise<void> => {
    const after: DayMarks = (await marksNow()) ?? new Map();
    const isOurs = (day: CalendarDate): boolean =>
      (after.get(day)?.others ?? 0) === (before.get(day)?.others ?? 0);
    await mkdir(place.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(place.folder)) {
      const path = join(place.folder, name);
      const isOther = !name.endsWith('-told.json') && path !== place.note;
      const note = isOther ? await readJson<Note>(path) : undefined;
      if (!note) continue;
      const kept = days.filter((day) => note.marks[day] === markOn(before, day) && isOurs(day));
      const marks = { ...note.marks, ...marksOn(after, kept) };
      await writeJson(path, { ...note, marks });
    }
    await rm(place.note, { force: true });
    const folder = await folderOf(ports, period);
    if (closed.submitted.conflicts > 0 || !folder || !days.every(isOurs)) return;
    await writeJson(place.told, closed);
    await writeJson(place.note, { inputs, folder, marks: marksOn(after, days) } satisfies Note);
  };
};

/** The days in UTC that are listed for some business days. */
const daysAround = ({ first, last }: Span): CalendarDate[] => {
  const days: CalendarDate[] = [];
  for (let day = addDays(first, -1); day <= addDays(last, 3); day = addDays(day, 1)) days.push(day);
  return days;
};

const spanOf = (days: readonly CalendarDate[]): Span => ({
  first: days[0] as CalendarDate,
  last: days.at(-1) as CalendarDate,
});

const marksOn = (marks: DayMarks, days: readonly CalendarDate[]): Note['marks'] =>
  Object.fromEntries(days.map((day) => [day, markOn(marks, day)]));

const folderOf = async (ports: ClosePorts, period: FilingPeriod): Promise<readonly string[] | undefined> => {
  const folder = periodFolder(ports, period);
  const manifest = await digestAt(join(folder, MANIFEST_PATH));
  return manifest === '' ? undefined : [manifest, await digestAt(join(folder, LOCK_FILE))];
};

/** Digest of a file; empty if it cannot be read. */
const digestAt = (path: string): Promise<string> => sha256OfFile(path).catch(() => '');

/**
 * Returns a digest of all that a close of a period reads but the service, and of whether the period is over;
 * `undefined` where the service has no marks.
 *
 * @param known digests of files that were read already
 */
export const inputsOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  known: Map<string, string> = new Map(),
): Promise<string | undefined> => {
  if (!ports.service.dayMarks) return undefined;
  const { configuration, serviceName, workingPapers = false, output } = ports;
  const { maxCalculations = null } = ports;
  const { channels, named, resolvePath, decided, entity, service } = configuration;
  const exports = await pathsOf(
    channels.flatMap(({ files, refundDates }) => [...files, ...refundDates]),
    resolvePath,
  );
  const beside = await Promise.all([...new Set(exports.map((path) => dirname(path)))].map(filesIn));
  const profiles = channels.flatMap(({ profile }) => profilePlace(profile, resolvePath) ?? []);
  const folders = await earlierFolders(join(output, entity), period);
  const paths = new Set([
    ...(await pathsOf(named, resolvePath)),
    ...beside.flat(),
    ...profiles,
    ...[FILINGS, REGISTER].map(resolvePath),
  ]);
  for (const path of paths) if (!known.has(path)) known.set(path, await digestAt(path));
  const files = [...paths].sort().map((path) => [path, known.get(path) ?? '']);
  for (const folder of folders) files.push([folder, await digestAt(join(folder, MANIFEST_PATH))]);
  return digestOf({
    parts: workParts(ports),
    serviceName,
    workingPapers,
    maxCalculations,
    files,
    settings: { decided, service },
    isOver: dayBeforeEnd(ports, period) === undefined,
  } as unknown as Json);
};

const pathsOf = async (entries: readonly string[], resolvePath: (path: string) => string) => {
  const found = await Promise.all(entries.map((entry) => expandFiles([entry], resolvePath).catch(() => [])));
  return found.flat().map(({ path }) => path);
};

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const inside = await readdir(folder, { withFileTypes: true });
  return inside.filter((one) => one.isFile() && !isHidden(one.name)).map(({ name }) => join(folder, name));
};

/** The folders of other versions that began before the end of a period: what they leave, it takes over. */
const earlierFolders = async (place: string, { label, last }: FilingPeriod): Promise<readonly string[]> => {
  const names = await readdir(place).catch(() => []);
  return names
    .filter((name) => name !== label && (parseVersion(name)?.first ?? '9') <= last)
    .map((name) => join(place, name));
};

const readJson = async <Value>(path: string): Promise<Value | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Value;
  } catch {
    return undefined;
  }
};

const writeJson = (path: string, value: object): Promise<void> =>
  writeFile(path, JSON.stringify(value), { mode: 0o600 });
