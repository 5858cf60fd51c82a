import { shownNumber } from '../kernel/shown-figures.ts';
import type { CommandIo } from './io.ts';

/** Warns, even when only errors are printed, of a period (`2026-10`, or with its entity), that the service lacks records of a locked period. */
export const warnOfLost = (
  io: Pick<CommandIo, 'warn'>,
  period: string,
  { lost }: { readonly lost?: number },
): void => {
  if (lost === undefined) return;
  io.warn(
    `${period}: the service lacks ${shownNumber(lost, 'record')} of the locked period. Its books stand as they were locked. To send the records again, unlock it, close it and lock it again.\n`,
  );
};
