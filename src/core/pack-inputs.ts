import type { LogName } from '../close/evidence/logs.ts';
import type { Parts } from '../kernel/parts.ts';

/** Digests of the lines of each log. */
export type LogDigests = Parts<LogName>;
