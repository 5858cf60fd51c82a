import type { LogMember, LogPiece } from './log-file.ts';

/** The logs of a period's evidence, each a file of compressed lines. */
export const LOG_NAMES = ['entries', 'strays', 'set-aside', 'report'] as const;
export type LogName = (typeof LOG_NAMES)[number];

export const logPath = (name: LogName): string => `evidence/${name}.ndjson.gz`;

/** Lines for some of the logs. */
export type LogPieces = Partial<Readonly<Record<LogName, LogPiece | LogMember>>>;

/** Takes the lines of the logs of a period's evidence, in an order that does not depend on the time of events. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };
