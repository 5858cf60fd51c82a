import { basename } from 'node:path';
import { filePathsBelow, filesDigest } from '../runtime/files-digest.ts';
import { stateOfBoundaries } from '../service/content/content-folder.ts';
import { DEFAULT_CONTENT_FOLDER } from '../service/content/load-content.ts';
import type { TaxContent } from '../service/content/tax-content.ts';

/**
 * Digest of the files of a content folder, of the default one when none is named. Tables of boundaries are made from
 * files whose digests stand in the manifest, and are too large to be read here.
 */
export const contentDigest = (folder = DEFAULT_CONTENT_FOLDER): string =>
  filesDigest(
    folder,
    filePathsBelow(folder).filter((path) => stateOfBoundaries(basename(path)) === undefined),
  );

/**
 * Which content a service calculates by. Versions are for people: a rate that somebody mends in a content folder
 * changes the digest behind them.
 */
export const contentName = (
  { name, version, date }: Pick<TaxContent, 'name' | 'version' | 'date'>,
  folder?: string,
): string => `${name} ${version} of ${date} #${contentDigest(folder).slice(0, 8)}`;
