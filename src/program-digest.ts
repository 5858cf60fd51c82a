import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

const digestOfProgram = (): string => {
  const hash = createHash('sha256').update(JSON.stringify(process.versions));
  for (const path of ownFiles()) {
    const bytes = readFileSync(join(ROOT, path));
    hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
};

const ownFiles = (): readonly string[] => [
  ...readdirSync(ROOT)
    .filter((name) => PACKAGES.some((file) => file === name))
    .sort(),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
      .sort(),
  ),
];
