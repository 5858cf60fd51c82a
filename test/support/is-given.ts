/** Whether a file of a sample is part of it, and not what a close made there. */
export const isGiven = (path: string): boolean => !/[\\/](?:\.tieout|output)(?:[\\/]|$)/.test(path);
