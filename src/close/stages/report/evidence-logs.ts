import type { LogPieces } from '../../evidence/logged.ts';

/** Takes the lines of the logs of a period's evidence, in an order that does not depend on the time of events. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };
