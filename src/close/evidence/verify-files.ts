import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow, sha256OfFile } from '../../runtime/publish-folder.ts';
import { LOCK_PATHS } from './lock-statement.ts';
import { contentDigestOf, MANIFEST_PATH, Manifest } from './manifest.ts';

/** What does not hold, in words; `undefined` when it holds. */
export type Problem = string | undefined;

/** The manifest of a folder, or why there is none to go by. */
export const readManifest = async (folder: string): Promise<Manifest | string> => {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST_PATH), 'utf8');
  } catch (error) {
    return `${MANIFEST_PATH} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  const parsed = Manifest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${MANIFEST_PATH} is no manifest: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}`;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Every file that the manifest names is there, byte for byte, and no other file is. */
export const checkFiles = async (folder: string, { content, outputs }: Manifest): Promise<Problem> => {
  const named = [...content.logs, ...outputs];
  for (const { path, bytes, sha256 } of named) {
    const size = await sizeOf(folder, path);
    if (size === undefined) return `${path} is missing`;
    if (size !== bytes) return `${path} has ${size} bytes, and the manifest says ${bytes}`;
    if ((await sha256OfFile(join(folder, path))) !== sha256)
      return `${path} was changed: its bytes are others`;
  }
  const known = new Set([MANIFEST_PATH, ...LOCK_PATHS, ...named.map(({ path }) => path)]);
  const stranger = (await filesBelow(folder)).find((path) => !known.has(path));
  return stranger === undefined ? undefined : `${stranger} is not named by the manifest`;
};

/** The size of a file that lies below the folder itself, and not behind a link that leads out of it. */
const sizeOf = async (folder: string, path: string): Promise<number | undefined> => {
  try {
    const place = join(await realpath(folder), path);
    if ((await realpath(place)) !== place) return undefined;
    const about = await lstat(place);
    return about.isFile() ? about.size : undefined;
  } catch {
    return undefined;
  }
};

/** The manifest says what it said when it was written, and whoever signed it signed this. */
export const checkDigest = ({ content, contentDigest, approvals }: Manifest): Problem => {
  if (contentDigestOf(content) !== contentDigest) return 'the content of the manifest was changed';
  const other = approvals.find((signature) => signature.contentDigest !== contentDigest);
  return other && `${other.name} signed another content as ${other.role}`;
};
