import type { LogPieces } from '../../evidence/logged.ts';

/** Takes the lines of the logs of a period's evidence, in orders that do not depend on when things happened. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };
