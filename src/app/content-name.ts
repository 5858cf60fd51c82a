import { basename } from 'node:path';
import { filePathsBelow, filesDigest } from '../runtime/files-digest.ts';
import { stateOfBoundaries } from '../service/content/content-folder.ts';
import { DEFAULT_CONTENT_FOLDER } from '../service/content/load-content.ts';
import type { TaxContent } from '../service/content/tax-content.ts';

/**
 * Returns the digest of the files of a content folder, by default the built-in one. It skips boundary tables, which are
 * too large to read here and are made from files whose digests are in the manifest.
 */
export const contentDigest = (folder = DEFAULT_CONTENT_FOLDER): string =>
  filesDigest(
    folder,
    filePathsBelow(folder).filter((path) => stateOfBoundaries(basename(path)) === undefined),
  );

/**
 * Returns the name of the content that a service calculates with. A version number is not enough: correcting a rate in
 * a content folder changes the digest after it.
 */
export const contentName = (
  { name, version, date }: Pick<TaxContent, 'name' | 'version' | 'date'>,
  folder?: string,
): string => `${name} ${version} of ${date} #${contentDigest(folder).slice(0, 8)}`;
