import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filePathsBelow, filesDigest } from '../runtime/publish-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'pipelines'] as const;
const PACKAGES = ['package.json', 'package-lock.json'] as const;

/** Returns the digest of the program's sources, including data, and of the versions of its packages. */
export const data = (): string => filesDigest(ROOT, ownFiles());

const ownFiles = (): readonly string[] => [
  ...readdirSync(ROOT)
    .filter((name) => PACKAGES.some((file) => file === name))
    .sort(),
  ...FOLDERS.flatMap((folder) => filePathsBelow(join(ROOT, folder)).map((path) => join(folder, path))),
];
