/** Whether a file or folder of this name is a hidden one of an operating system or spreadsheet program. */
export const isHidden = (name: string): boolean => /^(\.|~\$)|^(Thumbs\.db|desktop\.ini)$/i.test(name);

/** What was filed, by the path from the configuration: it is no table that a channel may lack. */
export const FILINGS_PATH = 'filings.csv';

/** Whether a path from the configuration is a file of answers or filings, which no folder or pattern of exports means. */
export const isOwnFile = (path: string): boolean => path === FILINGS_PATH || path === 'decisions.csv';
