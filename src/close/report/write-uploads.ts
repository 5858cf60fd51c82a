import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadFile } from '../filing/upload/upload-file.ts';

/** Write the files for the states' portals into the folder `upload`; no folder when there are none. */
export const writeUploads = async (folder: string, files: readonly UploadFile[]): Promise<void> => {
  if (files.length === 0) return;
  const uploads = join(folder, 'upload');
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  for (const { name, text } of files) await writeFile(join(uploads, name), text, { mode: 0o600 });
};
