const ENDS: Readonly<Record<number, string>> = { 0: 'READY', 1: 'NOT READY' };

/** Returns the word for the result of a run that wrote its books; `undefined` for a run that was stopped. */
export const endWord = (exitCode: number): string | undefined => ENDS[exitCode];
