import type { Line, Paper } from './sheet.ts';
import { checkSheetName } from './spreadsheet-name.ts';

/** A piece of a text sheet, top to bottom. */
export type Block =
  | { readonly heading: string }
  | { readonly paragraph: string }
  | { readonly lines: readonly Line[] };

/** A sheet to be read: headings, paragraphs, labelled values. */
export type TextSheet = {
  readonly kind: 'text';
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly paper?: Paper;
};

export const textSheet = (sheet: Omit<TextSheet, 'kind'>): TextSheet => {
  checkSheetName(sheet.name);
  return { kind: 'text', ...sheet };
};
