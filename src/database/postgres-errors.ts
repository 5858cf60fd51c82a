import { TieoutError } from '../kernel/errors.ts';

type Wording = (place: string, reason: string) => TieoutError;

const unreachable: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_UNREACHABLE',
    recovery: 'retry',
    message: `The database server of ${place} cannot be reached: ${reason}.`,
    nextStep: 'Check that the server runs and that its address is right, then run again.',
  });

const inaccessible: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_ACCESS',
    recovery: 'fix-config',
    message: `${place} refuses to be used: ${reason}.`,
    nextStep: 'Correct user, password or name in the database address, or the rights of that user.',
  });

const busy: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_BUSY',
    recovery: 'wait',
    message: `${place} is busy: ${reason}.`,
    nextStep: 'Wait until other work on it has finished, then run again.',
  });

const unstored: Wording = (place, reason) =>
  new TieoutError({
    code: 'E_DATABASE_STORAGE',
    recovery: 'retry',
    message: `${place} could not be written: ${reason}.`,
    nextStep: 'Free the resource that the server is short of, then run again; nothing half-done was kept.',
  });

/** By SQLSTATE or its class, https://www.postgresql.org/docs/15/errcodes-appendix.html; the longer key wins. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  '08': unreachable,
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
  '58': unstored,
};

const CONNECTION_LOST = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has)/;
const NETWORK = /^E[A-Z]+$/;

/** An error of PostgreSQL or of the connection to it in words; `undefined` for what should not happen. */
export const postgresError = (error: unknown, place: string): TieoutError | undefined => {
  if (error instanceof TieoutError || !(error instanceof Error)) return undefined;
  const code = String((error as { code?: unknown }).code ?? '');
  const state = [code, code.slice(0, 3), code.slice(0, 2)].find((key) => key in WORDINGS);
  const reason = (error.message || code).replace(/\.$/, '');
  if (state !== undefined) return WORDINGS[state]?.(place, reason);
  return NETWORK.test(code) || CONNECTION_LOST.test(error.message) ? unreachable(place, reason) : undefined;
};
