/** IDs of rows, by which figures of the page link to them. */
export const stateRow = (state: string): string => `state-${state}`;
export const reasonRow = (code: string): string => `reason-${code}`;
