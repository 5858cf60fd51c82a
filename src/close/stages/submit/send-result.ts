import { ServiceRefusal } from '../../../contract/refusal.ts';

/** What became of a sale that was sent, and why where something is in its way. */
export type SendResult = { readonly outcome: SendOutcome; readonly detail: string };
export type SendOutcome = 'created' | 'updated' | 'adjusted' | 'unchanged' | 'refused' | 'conflict';

const DUPLICATE = 422;

/** Whether the service refused to create a record because it holds one of that id. */
export const isDuplicate = (outcome: unknown): boolean =>
  outcome instanceof ServiceRefusal && outcome.status === DUPLICATE;
