import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file that lives as long as the test. */
export const fileOf = async (content: string | Uint8Array): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-sales-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'export.csv');
  await writeFile(path, content);
  return path;
};
