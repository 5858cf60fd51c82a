import type { ErrorCode } from '../../kernel/error-codes.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { type Readiness, readinessLine } from '../reconcile/readiness.ts';

type Refusal = { readonly message: string; readonly nextStep: string };

/** A request that the state of a period forbids. Nothing was changed. */
const refusal =
  (code: ErrorCode) =>
  ({ message, nextStep }: Refusal): TieoutError =>
    new TieoutError({ code, message, nextStep });

export const notClosed = (label: string, wish: 'lock' | 'sign' = 'lock'): TieoutError =>
  refusal('E_PERIOD_NOT_CLOSED')({
    message: `${label} was never closed, so there is nothing to ${wish}`,
    nextStep: `Run \`tieout close ${label}\` first.`,
  });

export const closedElsewhere = (
  label: string,
  written: string,
  wanted: string,
  wish: 'locked' | 'signed' = 'locked',
): TieoutError =>
  refusal('E_PERIOD_ELSEWHERE')({
    message: `the last close of ${label} wrote ${written}, and ${wanted} was to be ${wish}`,
    nextStep: `Run \`tieout close ${label}\` again, which writes ${wanted}, and ${wish === 'locked' ? 'lock' : 'sign'} then; or name the other place with --output.`,
  });

export const stale = (label: string, why: string): TieoutError =>
  refusal('E_PERIOD_STALE')({
    message: `the workbooks of ${label} are not from the present state: ${why}`,
    nextStep: `Run \`tieout close ${label}\` again, look at what changed, and lock then.`,
  });

export const unfinished = (label: string, last: string): TieoutError =>
  refusal('E_PERIOD_UNFINISHED')({
    message: `${label} is not over: its last day is ${last}`,
    nextStep:
      'Lock it when it is over, because what is sold until then would come late; or lock with --open-exceptions and say why.',
  });

export const madeTooEarly = (label: string, madeOn: string, last: string): TieoutError =>
  refusal('E_PERIOD_UNFINISHED')({
    message: `the books of ${label} were made on ${madeOn}, and its last day is ${last}`,
    nextStep: `Run \`tieout close ${label}\` when it is over, and sign then; or sign with --open-exceptions and say why.`,
  });

export const notClean = (
  label: string,
  readiness: Readiness,
  wish: 'locked' | 'signed' = 'locked',
): TieoutError =>
  refusal('E_PERIOD_OPEN')({
    message: `${label} cannot be ${wish}: its last close is ${readinessLine(readiness)}`,
    nextStep:
      'Settle what is open, or decide it in decisions.csv, and close again. Or say with --open-exceptions "why" that it may stand.',
  });

/** @param open months within it that are not locked */
export const overlapping = (label: string, other: string, open: readonly string[]): TieoutError =>
  refusal('E_PERIOD_OVERLAP')({
    message: `${label} has days in common with ${other}, which is locked${open.length === 0 ? '' : `, and ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} not`}`,
    nextStep: `A day is filed once. To lock the returns of ${label}, close and lock ${open.length === 0 ? 'the other periods within it' : open.join(', ')} first; to lock its sales, unlock ${other} first.`,
  });

/** @param shorter periods whose payments its returns take off, and which are not locked */
export const shorterOpen = (label: string, shorter: readonly string[]): TieoutError =>
  refusal('E_PERIOD_SHORTER_OPEN')({
    message: `the returns of ${label} take off what was paid for ${shorter.join(', ')}, which ${shorter.length === 1 ? 'is' : 'are'} not locked`,
    nextStep: `File and lock ${shorter.join(', ')} first, such as with \`tieout lock ${shorter[0]}\`. Then \`tieout lock ${label}\` holds the returns of ${label}.`,
  });

export const locked = (label: string): TieoutError =>
  refusal('E_PERIOD_LOCKED')({
    message: `${label} is locked, and its files stand as they were locked`,
    nextStep: 'Sign before locking; or unlock it, saying why, sign, and lock it again.',
  });

export const notLocked = (label: string): TieoutError =>
  refusal('E_PERIOD_NOT_LOCKED')({
    message: `${label} is not locked`,
    nextStep: '`tieout status` lists the periods that are.',
  });

export const notUnlockable = (label: string, why: string, nextStep: string): TieoutError =>
  refusal('E_PERIOD_BOUND')({ message: `${label} cannot be unlocked: ${why}`, nextStep });

export const unknownLateItem = (label: string, record: string): TieoutError =>
  refusal('E_LATE_UNKNOWN')({
    message: `"${record}" is not an undecided late item of ${label}`,
    nextStep: `\`tieout late ${label}\` lists them. What is decided stays so until the exports state something else.`,
  });

export const reasonMissing = (): TieoutError =>
  refusal('E_REASON_MISSING')({
    message: 'it is not said why',
    nextStep: 'Say it in a few words with --reason; it is kept for ever.',
  });

export const brokenLock = (label: string): TieoutError =>
  new TieoutError({
    code: 'E_LOCK_BROKEN',
    message: `what the workspace holds of ${label} is not what was locked: the digest of the lock does not fit`,
    nextStep: 'Somebody changed the workspace database: put back a copy from before, with `tieout restore`.',
  });
