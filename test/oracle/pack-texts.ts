import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { bookTexts } from './book-text.ts';
import { figuresText } from './figures-text.ts';
import { pageText } from './page-text.ts';

/** Texts by path, with `/` between folders. */
export type Texts = ReadonlyMap<string, string>;

/**
 * What a close has written, as texts to compare: workbooks sheet by sheet, the page, uploads and rejects as they are,
 * and the figures of the manifest. The logs and the lock below `evidence/` are left out: `tieout verify` proves them.
 */
export const packTexts = async (folder: string): Promise<Texts> => {
  const texts = new Map<string, string>();
  for (const path of await pathsBelow(folder)) {
    const bytes = await readFile(join(folder, path));
    if (path.endsWith('.xlsx'))
      for (const [name, text] of await bookTexts(bytes)) texts.set(`${path}/${name}`, withoutVersions(text));
    else if (path.endsWith('.html')) texts.set(`${path}.txt`, withoutVersions(pageText(bytes.toString())));
    else if (path.endsWith('manifest.json')) texts.set('manifest.txt', figuresText(bytes.toString()));
    else if (!/\.gz$|lock\.json$/.test(path)) texts.set(path, bytes.toString());
  }
  return texts;
};

/** The figures of the manifest of each period below a folder. */
export const manifestTexts = async (output: string): Promise<Texts> => {
  const paths = (await pathsBelow(output)).filter((path) => path.endsWith('evidence/manifest.json'));
  const texts = new Map<string, string>();
  for (const path of paths)
    texts.set(
      path.replace('/evidence/manifest.json', ''),
      figuresText(await readFile(join(output, path), 'utf8')),
    );
  return texts;
};

const pathsBelow = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
};

/** Another version of the program or of its content is not an other figure, nor are other bytes. */
const withoutVersions = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{64}\b/g, '(digest)')
    .replace(/\bTieout \d+(\.\d+)*\b/g, 'Tieout')
    .replace(/(tieout-default) \S+ of \d{4}-\d\d-\d\d #[0-9a-f]+/g, '$1');
