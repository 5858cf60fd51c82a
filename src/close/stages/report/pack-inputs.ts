import type { Parts } from '../../../kernel/parts.ts';
import type { LogName } from '../../evidence/logs.ts';

/** Digests of the lines of each log. */
export type LogDigests = Parts<LogName>;
