/** Whether a file or folder of this name is a hidden one of an operating system or spreadsheet program. */
export const isHidden = (name: string): boolean => /^(\.|~\$)|^(Thumbs\.db|desktop\.ini)$/i.test(name);

/** What was filed, beside `tieout.yaml`. A spreadsheet may edit it. */
export const FILINGS = 'filings.csv';

/** Whether a path from the configuration is a file of answers or filings, which no folder or pattern of exports means. */
export const isOwnFile = (path: string): boolean => path === FILINGS || path === 'decisions.csv';
