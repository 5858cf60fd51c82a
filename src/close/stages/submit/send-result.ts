import { ServiceRefusal } from '../../../contract/refusal.ts';

/** The result of sending a sale, and the reason if it could not be recorded as it is. */
export type SendResult = { readonly outcome: SendOutcome; readonly detail: string };
export type SendOutcome = 'created' | 'updated' | 'adjusted' | 'unchanged' | 'refused' | 'conflict';

const DUPLICATE = 422;

/** Whether the service refused to create a record because it already has one with that id. */
export const isDuplicate = (outcome: unknown): boolean =>
  outcome instanceof ServiceRefusal && outcome.status === DUPLICATE;
