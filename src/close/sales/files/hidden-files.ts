/** Whether a file or folder of this name is a hidden one of an operating system or spreadsheet program. */
export const isHidden = (name: string): boolean => /^(\.|~\$)|^(Thumbs\.db|desktop\.ini)$/i.test(name);
