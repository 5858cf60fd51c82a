import { isDiskFailure, systemReason, TieoutError } from '../kernel/errors.ts';

type Place = { readonly path: string; readonly busyWaitMs: number };
type Wording = (place: Place, reason: string) => TieoutError;

export const foreignFile: Wording = ({ path }) =>
  new TieoutError({
    code: 'E_DATABASE_FOREIGN',
    message: `${path} is not a database of Tieout; it was left untouched.`,
    nextStep:
      'Name another file in the database address, or move this one away. If it was one before, docs/cron.md says how to put a backup back.',
  });

const busy: Wording = ({ path, busyWaitMs }) =>
  new TieoutError({
    code: 'E_DATABASE_BUSY',
    message: `${path} is being written by another process and did not become free within ${busyWaitMs} ms.`,
    nextStep: 'Wait until the other process has finished, then run again.',
  });

export const damagedFile: Wording = ({ path }, reason) =>
  new TieoutError({
    code: 'E_DATABASE_DAMAGED',
    message: `${path} is damaged: ${reason}.`,
    nextStep:
      'Nothing in it was repaired or deleted. docs/cron.md says how to put a backup back, and what to do where there is none.',
  });

/** Describe a file that fails SQLite's own check. @param verdict the first result of the check */
export const failedCheck = (path: string, verdict: string): TieoutError =>
  damagedFile({ path, busyWaitMs: 0 }, `SQLite’s check found “${firstLineOf(verdict)}”`);

const firstLineOf = (verdict: string): string =>
  verdict
    .replace(/^\*\*\* in database \w+ \*\*\*/, '')
    .trim()
    .replaceAll('\n', ': ');

const inaccessible: Wording = ({ path }, reason) =>
  new TieoutError({
    code: 'E_DATABASE_ACCESS',
    message: `${path} cannot be opened for writing: ${reason}.`,
    nextStep: 'Check that the path is right and that this user may write the file and its folder.',
  });

const unstored: Wording = ({ path }, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    message: `${path} could not be read or written: ${reason}.`,
    nextStep: 'Check the disk and its free space, then run again; nothing half-done was kept.',
  });

const refused: Wording = (place) => inaccessible(place, 'this user may not');

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html, that are not a defect of ours. */
const WORDINGS: Readonly<Record<number, Wording>> = {
  3: refused,
  5: busy,
  8: (place) => inaccessible(place, 'it can only be read'),
  10: unstored,
  11: (place) => damagedFile(place, 'SQLite cannot read all of it'),
  13: unstored,
  14: (place) => inaccessible(place, 'SQLite cannot open it'),
  23: refused,
  26: foreignFile,
};

/** Extended result codes of reads that concern the bytes and not the disk: less than a page, a wrong checksum. */
const DAMAGED_BYTES = new Set([522, 8202]);

const SYSTEM_CODES = new Set(['EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EEXIST', 'EROFS', 'ENOENT']);

/** Describe an error of SQLite or of the file system; `undefined` for an unexpected error. */
export const sqliteError = (error: unknown, place: Place): TieoutError | undefined => {
  if (error instanceof TieoutError) return error;
  const { errcode, errstr, code, message } = error as Record<string, unknown>;
  // The low byte is the primary code; the higher bytes only make it more specific.
  if (DAMAGED_BYTES.has(Number(errcode))) return damagedFile(place, String(message));
  if (typeof errcode === 'number') return WORDINGS[errcode & 0xff]?.(place, String(errstr));
  if (isDiskFailure(String(code))) return unstored(place, String(message));
  return SYSTEM_CODES.has(String(code)) ? inaccessible(place, systemReason(error)) : undefined;
};

type PgWording = (place: string, reason: string) => TieoutError;

const unreachable: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    message: `The database server of ${place} cannot be reached: ${reason}.`,
    nextStep: 'Check that the server runs and that its address is right, then run again.',
  });

const disconnected: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    message: `The database server of ${place} has ended the connection: ${reason}.`,
    nextStep: 'Check that the server runs, then run again; nothing half-done was kept.',
  });

/** For a broken connection that held the run lock. */
export const brokenLock: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    message: `The database server of ${place} has ended the connection that kept other runs away: ${reason}.`,
    nextStep: 'Check that the server runs, then run again; nothing half-done was kept.',
  });

/** After a failover, an address can lead to a standby server, which is read-only. */
const following: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    message: `${place} takes no changes: ${reason}.`,
    nextStep:
      'Wait until the address leads to the primary server, then run again; nothing half-done was kept.',
  });

const inaccessibleServer: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_ACCESS',
    message: `${place} refuses to be used: ${reason}.`,
    nextStep:
      'Correct user, password, name or TLS settings in the database address, or the rights of that user.',
  });

const busyServer: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_BUSY',
    message: `${place} is busy: ${reason}.`,
    nextStep: 'Wait until other work on it has finished, then run again.',
  });

const unstoredThere: PgWording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    message: `${place} could not be written: ${reason}.`,
    nextStep: 'Free the resource that the server is short of, then run again; nothing half-done was kept.',
  });

/** Wordings by SQLSTATE or its class, https://www.postgresql.org/docs/15/errcodes-appendix.html; longest key wins. */
const PG_WORDINGS: Readonly<Record<string, PgWording>> = {
  '08': unreachable,
  '25006': following,
  '25P03': disconnected,
  '25P04': disconnected,
  '28': inaccessibleServer,
  '3D': inaccessibleServer,
  '40001': busyServer,
  '40P01': busyServer,
  '42501': inaccessibleServer,
  '53': unstoredThere,
  '53300': busyServer,
  '55P03': busyServer,
  '57014': busyServer,
  '57P': disconnected,
  '57P03': unreachable,
  '58': unstoredThere,
};

const NOT_CONNECTED = /^timeout exceeded when trying to connect/;
/** Codes of the operating system and of DNS look-ups, but not Node's own, ERR_… */
const NETWORK = /^E(?!RR_)[A-Z_]+$/;
const CONNECTION_LOST = /^(?:Connection terminated|Client has)/;
const NETWORK_LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

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
  return postgresError(error, place) ?? inaccessibleServer(place, error.message);
};

const wordingOf = (code: string, message: string): PgWording | undefined => {
  const state = [code, code.slice(0, 3), code.slice(0, 2)].find((key) => key in PG_WORDINGS);
  if (state !== undefined) return PG_WORDINGS[state];
  if (NETWORK_LOST.has(code) || CONNECTION_LOST.test(message)) return disconnected;
  return NETWORK.test(code) || NOT_CONNECTED.test(message) ? unreachable : undefined;
};
