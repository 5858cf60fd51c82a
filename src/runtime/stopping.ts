import { TieoutError } from '../kernel/errors.ts';

/** Whether the run was asked to stop. Checked between batches, when everything done is committed. */
export type Stopping = { readonly isAsked: () => boolean };

export const neverStopping: Stopping = { isAsked: () => false };

/** @throws {TieoutError} E_STOPPED when the run was asked to stop */
export const stopIfAsked = (stopping: Stopping, where: string): void => {
  if (!stopping.isAsked()) return;
  throw new TieoutError({
    code: 'E_STOPPED',
    message: `the run was asked to stop, and stopped in ${where} when the batch at work was done`,
    nextStep: 'Run the same command again: it continues where it stopped',
  });
};
