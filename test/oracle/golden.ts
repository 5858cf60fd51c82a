import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Texts } from './pack-texts.ts';

const folderOf = (scenario: string): string => fileURLToPath(new URL(`golden/${scenario}`, import.meta.url));

/** The texts that are kept of a scenario; none when it was never accepted. */
export const keptTexts = async (scenario: string): Promise<Texts> => {
  const folder = folderOf(scenario);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const texts = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    texts.set(relative(folder, path).replaceAll('\\', '/'), await readFile(path, 'utf8'));
  }
  return texts;
};

/** Keep these texts of a scenario in place of those before. */
export const keepTexts = async (scenario: string, texts: Texts): Promise<void> => {
  const folder = folderOf(scenario);
  await rm(folder, { recursive: true, force: true });
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};
