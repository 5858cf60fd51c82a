import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import {
  LOCK_FILE,
  type LockLine,
  lineIn,
  lineText,
  lockFileText,
  lockLinesIn,
  type TextLine,
  versionLabel,
} from '../evidence/lock-line.ts';
import { MANIFEST_PATH } from '../evidence/manifest.ts';
import { checkBytes, readManifest } from '../evidence/verify-files.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/json.ts';
import { type FilingPeriod, isWithin, parsePeriod } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { textOf } from '../runtime/publish-folder.ts';
import type { LockedPeriod, LockPlace, Locks } from './folders.ts';

/** The register of locks, beside `tieout.yaml`. */
export const REGISTER = 'locks.ndjson';
/**
 * Reads the locks of an entity from the register and from its folders, and checks the one against the other. A line that a
 * folder has and the register lacks is taken if it continues the register.
 *
 * @returns the locks, and the lines that the register lacks: `completeRegister` writes them
 * @throws {TieoutError} E_LOCK_UNKNOWN if the two differ otherwise, or a folder is missing; E_LOCKED_OUTPUT if a file was changed
 */
export const readLocks = async (
  place: LockPlace,
): Promise<Locks & { readonly missing: readonly LockLine[] }> => {
  const registered = await readRegister(place.root);
  const folders = new Map<string, readonly TextLine[]>();
  for (const folder of await foldersOf(place, registered)) folders.set(folder, await linesIn(folder));
  const all = [...registered];
  const missing = continuing(all, [...folders.values()].flat());
  const known = new Set(all.map(({ text }) => text));
  for (const [folder, lines] of folders)
    for (const { text, line } of lines) {
      if (line.entity !== place.entity) throw foreign(folder, line, place.entity);
      if (!known.has(text)) throw unregistered(place.root, folder, text);
    }
  const lines = all.map(({ line }) => line);
  const locked = inEffect(lines.filter(({ entity }) => entity === place.entity));
  const periods: LockedPeriod[] = [];
  for (const line of locked) {
    const folder = resolve(place.root, line.folder);
    const own = folders.get(folder) ?? [];
    const standing = linesAbout(lines, place, folder, line.manifest);
    periods.push(await lockedPeriod(folder, line, standing, own));
  }
  return { lines, ...lockedDays(periods), missing };
};

/** Reads the register, and checks that each line continues the one before. An end without its line break was not written. */
const readRegister = async (root: string): Promise<TextLine[]> => {
  const path = join(root, REGISTER);
  const texts = ((await textOf(path)) ?? '').split('\n').slice(0, -1);
  return texts.map((text, index) => {
    const line = lineIn(text);
    const before = texts[index - 1];
    const place = `${path}:${index + 1}`;
    if (!line) throw unknown(`${place}: it is not a line of locks`, PUT_BACK_REGISTER);
    if (line.before !== (before === undefined ? '' : sha256(before)))
      throw unknown(`${place}: it does not continue the line before`, PUT_BACK_REGISTER);
    return { text, line };
  });
};

/** The folders of an entity that have lines, or that its lines name. */
const foldersOf = async (
  { root, entity, output }: LockPlace,
  registered: readonly TextLine[],
): Promise<ReadonlySet<string>> => {
  const below = await readdir(output, { withFileTypes: true }).catch(() => []);
  const named = inEffect(registered.map(({ line }) => line).filter((line) => line.entity === entity));
  const folders = new Set<string>();
  for (const entry of below) if (entry.isDirectory()) folders.add(join(output, entry.name));
  for (const { folder } of named) folders.add(resolve(root, folder));
  return folders;
};

/** Returns the lines in a folder; none if it has no lock. */
const linesIn = async (folder: string): Promise<readonly TextLine[]> => {
  const path = join(folder, LOCK_FILE);
  const text = await textOf(path);
  if (text === undefined) return [];
  const lines = lockLinesIn(text);
  if (lines) return lines;
  throw unknown(`${path} is not a list of lines of locks`, `Put ${folder} back from a copy.`);
};

/** Takes the lines of folders that continue the register one after the other, and adds them to it. */
const continuing = (registered: TextLine[], found: readonly TextLine[]): readonly LockLine[] => {
  const missing: LockLine[] = [];
  for (;;) {
    const last = registered.at(-1);
    const before = last ? sha256(last.text) : '';
    const next = found.find(({ line }) => line.before === before);
    if (!next) return missing;
    registered.push(next);
    missing.push(next.line);
  }
};

/** The locks that were not taken away again, in the order of the register. */
const inEffect = (lines: readonly LockLine[]): readonly LockLine[] => {
  const locked = new Map<string, LockLine>();
  for (const line of lines) {
    const label = versionLabel(line);
    if (line.what === 'locked') locked.set(label, line);
    if (line.what === 'unlocked') locked.delete(label);
  }
  return [...locked.values()];
};

/** Checks the folder of a lock, and returns the period with what its manifest says. */
const lockedPeriod = async (
  folder: string,
  line: LockLine,
  standing: readonly LockLine[],
  own: readonly TextLine[],
): Promise<LockedPeriod> => {
  const name = versionLabel(line);
  const manifest = await readManifest(folder);
  const back = `Put ${folder} back as it was when ${name} was locked, from a copy. Nothing was sent or replaced.`;
  if (typeof manifest === 'string') throw unknown(`${folder} is locked, and ${manifest}`, back);
  const { content } = manifest;
  if (sha256(await readFile(join(folder, MANIFEST_PATH))) !== line.manifest)
    throw unknown(`${join(folder, MANIFEST_PATH)} is not the one that was locked`, back);
  if (content.entity !== line.entity || content.period.label !== name)
    throw unknown(`${folder} has ${content.entity} ${content.period.label}, and not ${name}`, back);
  const lacking = standing.map(lineText).find((text) => !own.some((each) => each.text === text));
  if (lacking !== undefined)
    throw unknown(`${join(folder, LOCK_FILE)} lacks a line of ${name} in ${REGISTER}: ${lacking}`, back);
  const problem = await checkBytes(folder, [...content.logs, ...content.outputs]);
  if (problem !== undefined)
    throw new TieoutError({
      code: 'E_LOCKED_OUTPUT',
      message: `${folder} is locked, and ${problem}`,
      nextStep: back,
    });
  return {
    // The schema of a line has checked its period.
    ...(parsePeriod(line.period) as FilingPeriod),
    version: line.version,
    name,
    folder,
    content,
    isOfReturns: false,
  };
};

/** Returns the versions in effect by their days, and what follows from them. */
export const lockedDays = (versions: readonly LockedPeriod[]): Omit<Locks, 'lines'> => {
  const lastOf = new Map<string, LockedPeriod>();
  for (const version of versions) lastOf.set(version.label, version);
  const last = [...lastOf.values()].sort((one, other) => compareText(one.first, other.first));
  const isOver = (one: LockedPeriod): boolean =>
    last.some((other) => other !== one && one.first <= other.first && other.last <= one.last);
  const periods = last.filter((one) => !isOver(one));
  const holding = (day: CalendarDate) => periods.find((period) => isWithin(period, day));
  return {
    versions,
    periods,
    ofReturns: last.filter(isOver).map((one) => ({ ...one, isOfReturns: true })),
    holding,
    openFrom: (day) => {
      let at = day;
      for (let lock = holding(at); lock; lock = holding(at)) at = addDays(lock.last, 1);
      return at;
    },
  };
};

/** Returns the text of `evidence/lock.json` for a folder with this manifest; `undefined` if the register has no line for it. */
export const lockFileOf = (
  lines: readonly LockLine[],
  place: Pick<LockPlace, 'root'>,
  folder: string,
  manifest: string,
): string | undefined => {
  const standing = linesAbout(lines, place, folder, manifest);
  if (standing.length === 0) return undefined;
  return lockFileText(standing.map((line) => ({ text: lineText(line), line })));
};

/** Returns the signatures of a folder with this manifest, and its lock unless it was taken away again. */
const linesAbout = (
  lines: readonly LockLine[],
  { root }: Pick<LockPlace, 'root'>,
  folder: string,
  manifest: string,
): readonly LockLine[] => {
  const own = lines.filter((line) => line.folder === pathIn(root, folder) && line.manifest === manifest);
  const lost = own.findLastIndex(({ what }) => what === 'unlocked');
  return own.filter(({ what }, index) => what === 'signed' || (what === 'locked' && index > lost));
};

/** Writes a path below the folder of the register with slashes, so that it is the same on every system. */
export const pathIn = (root: string, folder: string): string =>
  relative(resolve(root), resolve(folder)).split(sep).join('/') || '.';

const PUT_BACK_REGISTER = `Put ${REGISTER} back from a copy. Nothing was sent or replaced.`;

const foreign = (folder: string, line: LockLine, entity: string): TieoutError =>
  unknown(
    `${join(folder, LOCK_FILE)} is a lock of ${line.entity}, and the folder is that of ${entity}`,
    `Move ${folder} to where it belongs.`,
  );

const unregistered = (root: string, folder: string, text: string): TieoutError =>
  unknown(
    `${join(folder, LOCK_FILE)} has a line that ${join(root, REGISTER)} lacks`,
    `Put the register back from a copy. Or, if the folder is right, append this line to it:\n${text}`,
  );

const unknown = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_LOCK_UNKNOWN', message, nextStep });
