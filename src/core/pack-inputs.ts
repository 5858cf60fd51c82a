import type { Parts } from '../close/configuration/parts.ts';
import type { LogName } from '../close/evidence/logs.ts';

/** Digests of the lines of each log. */
export type LogDigests = Parts<LogName>;
