import { ServiceRefusal } from '../../../contract/refusal.ts';

const DUPLICATE = 422;

/** Whether the service refused to create a record because it holds one of that id. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof ServiceRefusal && error.status === DUPLICATE;
