/** A line of the configuration, with the decision it needs, if any. */
export type Line = string | { readonly text: string; readonly decide: string };

export const check = (text: string, decide: string): Line => ({ text, decide });
