import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, smallContent } from '../import/content-folder.ts';

const HEADER = 'state\twhat\tpage\tfile\taddress\tevery\tfrom\tto\tsource\tconfidence\tnote';

export type FileRow = {
  readonly state: string;
  readonly page: string;
  readonly file: string;
  readonly address?: string;
  readonly what?: string;
  readonly every?: string;
};

/** A content folder of its own whose official files are these alone, in a folder of its own. */
export const contentWithFiles = (
  rows: readonly FileRow[],
): { readonly parent: string; readonly content: string } => {
  const parent = newFolder();
  const content = smallContent(join(parent, 'content'), ['NE']);
  const lines = rows.map(({ state, what = 'rates', page, file, address = '', every = '' }) =>
    [state, what, page, file, address, every, '', '', 'official-files-2026', 'secondary', ''].join('\t'),
  );
  writeFileSync(join(content, 'official-files.tsv'), `${[HEADER, ...lines].join('\n')}\n`);
  return { parent, content };
};
