import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

/**
 * SHA-256 of a document of a register, named by its path from the register's folder; `null` when no file lies there,
 * or the path leads out of the folder: a register speaks for what lies beside it.
 */
export const hashDocument = async (folder: string, name: string): Promise<string | null> => {
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return null;
  try {
    if (!(await stat(path)).isFile()) return null;
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    return hash.digest('hex');
  } catch {
    // What cannot be read proves nothing, whatever the cause; the finding about it names the document.
    return null;
  }
};
