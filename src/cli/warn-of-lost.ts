import { shownNumber } from '../kernel/shown-figures.ts';
import type { CommandIo } from './io.ts';

/** Warns, even when only errors are printed, that the service lacks records of a locked period. */
export const warnOfLost = (
  io: Pick<CommandIo, 'warn'>,
  period: string,
  { lost }: { readonly lost?: number },
  entity?: string,
): void => {
  if (lost === undefined) return;
  const of = entity === undefined ? period : `${entity} ${period}`;
  io.warn(
    `${of}: the service lacks ${shownNumber(lost, 'record')} of the locked period. Its books stand as they were locked. To send the records again, unlock it, close it and lock it again.\n`,
  );
};
