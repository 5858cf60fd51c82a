import type { ErrorCode } from '../kernel/error-codes.ts';
import { isDiskFailure, systemReason, TieoutError } from '../kernel/errors.ts';

/** Describes an error of a file, or of a database on a server. */
type Wording = (place: string, reason: string) => TieoutError;

const AGAIN = 'then run again; nothing half-done was kept.';

/** @param text `{place}` and `{reason}` stand for those of the error */
const wording =
  (code: ErrorCode, text: string, nextStep: string): Wording =>
  (place, reason) =>
    new TieoutError({
      code,
      message: text.replace('{place}', () => place).replace('{reason}', () => reason),
      nextStep,
    });

export const foreignFile = wording(
  'E_DATABASE_FOREIGN',
  '{place} is not a database of Tieout; it was left untouched.',
  'Name another file in the database address, or move this one away. If it was one before, docs/cron.md says how to put a backup back.',
);

export const damagedFile = wording(
  'E_DATABASE_DAMAGED',
  '{place} is damaged: {reason}.',
  'Nothing in it was repaired or deleted. docs/cron.md says how to put a backup back, and what to do where there is none.',
);

const inaccessible = wording(
  'E_DATABASE_ACCESS',
  '{place} cannot be used: {reason}.',
  'Check the path or the address with its user, password, name and TLS settings, and that this user may write there.',
);

/** After a failover, an address can lead to a standby server, which is read-only. */
const unstored = wording(
  'E_DATABASE_STORAGE',
  '{place} could not be read or written: {reason}.',
  `Check the disk and its free space, and that the address of a server leads to the primary one, ${AGAIN}`,
);

const busy = wording(
  'E_DATABASE_BUSY',
  '{place} is busy: {reason}.',
  'Wait until other work on it has finished, then run again.',
);

/** Also for a connection that broke, perhaps the one that held the run lock. */
export const unreachable = wording(
  'E_DATABASE_UNREACHABLE',
  'The database server of {place} cannot be reached: {reason}.',
  `Check that the server runs and that its address is right, ${AGAIN}`,
);

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html, that are not a defect of ours. */
const WORDINGS: Readonly<Record<number, readonly [wording: Wording, reason?: string]>> = {
  3: [inaccessible, 'this user may not'],
  5: [busy, 'another process is writing it'],
  8: [inaccessible, 'it can only be read'],
  10: [unstored],
  11: [damagedFile, 'SQLite cannot read all of it'],
  13: [unstored],
  14: [inaccessible, 'SQLite cannot open it'],
  23: [inaccessible, 'this user may not'],
  26: [foreignFile],
};

/** Extended result codes of reads that concern the bytes and not the disk: less than a page, a wrong checksum. */
const DAMAGED_BYTES = new Set([522, 8202]);

const SYSTEM_CODES = new Set(['EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EROFS', 'ENOENT']);

/** Describe an error of SQLite or of the file system; `undefined` for an unexpected error. */
export const sqliteError = (error: unknown, path: string): TieoutError | undefined => {
  if (error instanceof TieoutError) return error;
  const { errcode, errstr, code, message } = error as Record<string, unknown>;
  if (DAMAGED_BYTES.has(Number(errcode))) return damagedFile(path, String(message));
  if (typeof errcode === 'number') {
    // The low byte is the primary code; the higher bytes only make it more specific.
    const [worded, reason = String(errstr)] = WORDINGS[errcode & 0xff] ?? [];
    return worded?.(path, reason);
  }
  if (isDiskFailure(String(code))) return unstored(path, String(message));
  return SYSTEM_CODES.has(String(code)) ? inaccessible(path, systemReason(error)) : undefined;
};

/** Wordings by SQLSTATE or its class, https://www.postgresql.org/docs/15/errcodes-appendix.html; longest key wins. */
const PG_WORDINGS: Readonly<Record<string, Wording>> = {
  '08': unreachable,
  '25006': unstored,
  '25P03': unreachable,
  '25P04': unreachable,
  '28': inaccessible,
  '3D': inaccessible,
  '40001': busy,
  '40P01': busy,
  '42501': inaccessible,
  '53': unstored,
  '53300': busy,
  '55P03': busy,
  '57014': busy,
  '57P': unreachable,
  '57P03': unreachable,
  '58': unstored,
};

const NOT_CONNECTED = /^(?:timeout exceeded when trying to connect|Connection terminated|Client has)/;
/** Codes of the operating system and of DNS look-ups, but not Node's own, ERR_… */
const NETWORK = /^E(?!RR_)[A-Z_]+$/;

/** Describe an error of PostgreSQL or of the connection to it; `undefined` for an unexpected error. */
export const postgresError = (error: unknown, place: string): TieoutError | undefined => {
  if (error instanceof TieoutError || !(error instanceof Error)) return undefined;
  const code = String((error as { code?: unknown }).code ?? '');
  const reason = systemReason(error).replace(/\.$/, '');
  return wordingOf(code, error.message)?.(place, reason);
};

/** Describe why a connection could not be opened. Errors without a wording concern the address, such as TLS options. */
export const connectError = (error: unknown, place: string): unknown => {
  if (error instanceof TieoutError || !(error instanceof Error)) return error;
  return postgresError(error, place) ?? inaccessible(place, error.message);
};

const wordingOf = (code: string, message: string): Wording | undefined => {
  const state = [code, code.slice(0, 3), code.slice(0, 2)].find((key) => key in PG_WORDINGS);
  if (state !== undefined) return PG_WORDINGS[state];
  return NETWORK.test(code) || NOT_CONNECTED.test(message) ? unreachable : undefined;
};
