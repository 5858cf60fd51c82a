import * as z from 'zod';
import { amendedLabel, parsePeriod } from '../kernel/period.ts';
import { Sha256, SIGNABLE_NAME } from './manifest.ts';
import { signerOf } from './ssh-signature.ts';

/** The lines of the register about a folder, in that folder. No manifest lists it. */
export const LOCK_FILE = 'evidence/lock.json';

/** One line of `locks.ndjson` beside `tieout.yaml`, and of `evidence/lock.json` in the folder it names. */
const Line = z.strictObject({
  entity: z.string(),
  /** The period without its version: `2026-10`. */
  period: z.string().refine((label) => parsePeriod(label) !== undefined, 'is not a period'),
  /** 0 for the period itself, n for its n-th amended version. */
  version: z.int().min(0),
  what: z.enum(['signed', 'locked', 'unlocked']),
  /** The folder of the version, relative to the folder of the register, with slashes. */
  folder: z.string(),
  /** SHA-256 of the manifest's bytes. */
  manifest: Sha256,
  by: z.strictObject({
    name: z.string().regex(SIGNABLE_NAME),
    role: z.string(),
    /** The SSH signature of the line's statement; `null` for a name without a key. */
    signature: z.string().nullable(),
  }),
  /** When, as `2026-11-03T09:30:00.000Z`. */
  at: z.string(),
  /** Why an exception may stand, or why it was unlocked; empty if nothing needs a reason. */
  why: z.string(),
  /** SHA-256 of the register's line before; empty for the first line. */
  before: z.union([z.literal(''), Sha256]),
});
export type LockLine = Readonly<z.output<typeof Line>>;

/** A line with the text that its digest is of. */
export type TextLine = {
  readonly text: string;
  readonly line: LockLine;
};

export const lineText = (line: LockLine): string => JSON.stringify(line);

export const lineIn = (text: string): LockLine | undefined => {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** Returns the label of the version that a line is about. */
export const versionLabel = ({ period, version }: Pick<LockLine, 'period' | 'version'>): string =>
  version === 0 ? period : amendedLabel(period, version);

/** Formats `evidence/lock.json`: a JSON list of the register's lines about the folder, each on a line as in the register. */
export const lockFileText = (lines: readonly TextLine[]): string =>
  `[\n${lines.map(({ text }) => text).join(',\n')}\n]\n`;

/** Reads the text of `evidence/lock.json`; `undefined` if it is not one. */
export const lockLinesIn = (text: string): readonly TextLine[] | undefined => {
  const texts = text.split('\n').flatMap((line) => (line.startsWith('{') ? [line.replace(/,$/, '')] : []));
  const lines = texts.flatMap((each) => {
    const line = lineIn(each);
    return line ? [{ text: each, line }] : [];
  });
  return lines.length === texts.length && lines.length > 0 && text === lockFileText(lines)
    ? lines
    : undefined;
};

/** The text that a signature covers: a few lines for people with everything that the line says. */
export const statementOf = (line: Unchained): string =>
  [
    line.what === 'locked' ? 'Tieout lock' : 'Tieout signature',
    `entity: ${line.entity}`,
    `period: ${versionLabel(line)}`,
    `role: ${line.by.role}`,
    `name: ${line.by.name}`,
    `at: ${line.at}`,
    `why: ${line.why}`,
    `manifest: ${line.manifest}`,
    '',
  ].join('\n');

export type Unchained = Omit<LockLine, 'before'>;

/** Returns the public key that signed a line, why its signature is not valid, or `undefined` for a name only. */
export const signerOfLine = (line: Unchained): Buffer | string | undefined =>
  line.by.signature === null ? undefined : signerOf(line.by.signature, statementOf(line));
