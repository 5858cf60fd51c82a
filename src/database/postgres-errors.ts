import { systemReason, TieoutError } from '../kernel/errors.ts';

type Wording = (place: string, reason: string) => TieoutError;

const unreachable: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    message: `The database server of ${place} cannot be reached: ${reason}.`,
    nextStep: 'Check that the server runs and that its address is right, then run again.',
  });

const disconnected: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    message: `The database server of ${place} has ended the connection: ${reason}.`,
    nextStep: 'Check that the server runs, then run again; nothing half-done was kept.',
  });

/** For a broken connection that held the run lock. */
export const brokenLock: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    message: `The database server of ${place} has ended the connection that kept other runs away: ${reason}.`,
    nextStep: 'Check that the server runs, then run again; nothing half-done was kept.',
  });

/** After a failover, an address can lead to a standby server, which is read-only. */
const following: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    message: `${place} takes no changes: ${reason}.`,
    nextStep:
      'Wait until the address leads to the primary server, then run again; nothing half-done was kept.',
  });

const inaccessible: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_ACCESS',
    message: `${place} refuses to be used: ${reason}.`,
    nextStep:
      'Correct user, password, name or TLS settings in the database address, or the rights of that user.',
  });

const busy: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_BUSY',
    message: `${place} is busy: ${reason}.`,
    nextStep: 'Wait until other work on it has finished, then run again.',
  });

const unstored: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    message: `${place} could not be written: ${reason}.`,
    nextStep: 'Free the resource that the server is short of, then run again; nothing half-done was kept.',
  });

/** Wordings by SQLSTATE or its class, https://www.postgresql.org/docs/15/errcodes-appendix.html; longest key wins. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  '08': unreachable,
  '25006': following,
  '25P03': disconnected,
  '25P04': disconnected,
  '28': inaccessible,
  '3D': inaccessible,
  '40001': busy,
  '40P01': busy,
  '42501': inaccessible,
  '53': unstored,
  '53300': busy,
  '55P03': busy,
  '57014': busy,
  '57P': disconnected,
  '57P03': unreachable,
  '58': unstored,
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
  return postgresError(error, place) ?? inaccessible(place, error.message);
};

const wordingOf = (code: string, message: string): Wording | undefined => {
  const state = [code, code.slice(0, 3), code.slice(0, 2)].find((key) => key in WORDINGS);
  if (state !== undefined) return WORDINGS[state];
  if (NETWORK_LOST.has(code) || CONNECTION_LOST.test(message)) return disconnected;
  return NETWORK.test(code) || NOT_CONNECTED.test(message) ? unreachable : undefined;
};
