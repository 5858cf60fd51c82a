import { ServiceRefusal } from '../contract/refusal.ts';

const DUPLICATE = 422;

/** Whether the service refused to create a record because it already has one with that id. */
export const isDuplicate = (outcome: unknown): boolean =>
  outcome instanceof ServiceRefusal && outcome.status === DUPLICATE;
