import { stat } from 'node:fs/promises';
import { sha256OfFile } from '../../../runtime/publish-folder.ts';
import { ExportError } from '../../sales/export-error.ts';

/** A file of a channel as it stands on disk. */
export type SourceFile = {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
};

export const sourceFile = async (name: string, path: string): Promise<SourceFile> => {
  try {
    const { size } = await stat(path);
    return { name, path, bytes: size, sha256: await sha256OfFile(path) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new ExportError(
        'E_EXPORT_MISSING',
        path,
        'there is no such file',
        'Put the export there, or correct `files` of the channel in the configuration',
        error,
      );
    }
    if (code === 'EISDIR' || code === 'EACCES') {
      throw new ExportError(
        'E_EXPORT_UNREADABLE',
        path,
        `it cannot be read (${code})`,
        'Name a file that this user may read',
        error,
      );
    }
    throw error;
  }
};
