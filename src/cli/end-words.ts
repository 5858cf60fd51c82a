const ENDS: Readonly<Record<number, string>> = { 0: 'READY', 1: 'NOT READY' };

/** What a run whose books were written says of its period; `undefined` for one that was stopped. */
export const endWord = (exitCode: number): string | undefined => ENDS[exitCode];
