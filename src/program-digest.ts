import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from './kernel/digest.ts';
import { filePathsBelow, filesDigest } from './runtime/files-digest.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'pipelines'] as const;
const PACKAGES = ['package.json', 'package-lock.json'] as const;

/**
 * Digest of the program itself: its files, the data among them, its packages by their versions, and the Node that
 * runs it. A version number stays the same while somebody works on the program; this does not.
 */
export const programDigest = (): string => {
  known ??= digestOfProgram();
  return known;
};

let known: string | undefined;

const digestOfProgram = (): string =>
  sha256(JSON.stringify({ versions: process.versions, files: filesDigest(ROOT, ownFiles()) }));

const ownFiles = (): readonly string[] => [
  ...readdirSync(ROOT)
    .filter((name) => PACKAGES.some((file) => file === name))
    .sort(),
  ...FOLDERS.flatMap((folder) => filePathsBelow(join(ROOT, folder)).map((path) => join(folder, path))),
];
