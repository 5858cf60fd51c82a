import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { drawBooks } from '../books/draw-books.ts';
import { recordsOf } from '../books/files-to-fill-in.ts';
import { filesBelow, sha256OfFile } from '../runtime/publish-folder.ts';
import { differentCell } from '../workbook/different-cell.ts';
import { KEYS_PATH } from './keys.ts';
import { leavesOf, type Manifest, type Problem } from './manifest.ts';
import { firstDifference, type Recomputed } from './verify-files.ts';

/** The sheets to compare in a folder that another build of Tieout drew, whose layout may differ. */
const RELIED_UPON: ReadonlySet<string> = new Set(['By state', 'By jurisdiction', 'Tie-out', 'Returns']);
export const RELIED_UPON_TEXT = `${[...RELIED_UPON].join(', ')} and the upload files`;

/** Adds to a problem that another build may compute or draw something else. */
export const asBuilt = (problem: Problem, { content }: Manifest, build: string): Problem =>
  problem === undefined || content.build === build
    ? problem
    : `${problem} (made by another build of ${content.program}: check it with that one too)`;

/** Temporary paths of a check. */
export type Scratch = { readonly detail: string; readonly books: string };

/** Creates temporary space for a check and removes it afterwards. */
export const withScratch = async <Result>(work: (scratch: Scratch) => Promise<Result>): Promise<Result> => {
  const place = await mkdtemp(join(tmpdir(), 'tieout-verify-'));
  try {
    return await work({ detail: join(place, 'detail'), books: join(place, 'books') });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
};

/**
 * Checks that the books agree with the logs: draws them again from the logs, with the functions of a close, and
 * compares every file byte for byte. For a workbook that differs, it names the cell.
 *
 * @param build The build of the checking program; for a folder from another build, only the sheets that people rely on
 * are compared
 */
export const checkBooks = async (
  folder: string,
  manifest: Manifest,
  { sums, frame, report: gathered, detail, keys }: Recomputed,
  { build, scratch }: { readonly build: string; readonly scratch: Scratch },
): Promise<Problem> => {
  const place = scratch.books;
  const { content } = manifest;
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
  const rejected = sums.asides.filter(({ outcome }) => outcome === 'rejected');
  const books = await drawBooks(place, {
    gathered,
    registrations: frame.filing,
    figures: sums.filing,
    rejects: frame.rejected.map((input) => ({
      ...input,
      records: recordsOf(rejected, input.channel, input.path),
    })),
    detail,
    refunds: sums.refunds.links(frame.orders),
  });
  await mkdir(join(place, dirname(KEYS_PATH)), { recursive: true });
  await writeFile(join(place, KEYS_PATH), keys);
  const problem =
    firstDifference('leaves', leavesOf(books, sums.filing), content.leaves) ??
    namesProblem(content, await filesBelow(place)) ??
    (await bytesProblem(folder, place, content, content.build === build));
  return asBuilt(problem, manifest, build);
};

const namesProblem = ({ outputs }: Manifest['content'], drawn: readonly string[]): Problem => {
  const stated = new Set(outputs.map(({ path }) => path));
  const missing = drawn.find((path) => !stated.has(path));
  if (missing !== undefined) return `${missing} follows from the logs, and is missing`;
  const stranger = outputs.find(({ path }) => !drawn.includes(path));
  return stranger && `${stranger.path} does not follow from the logs`;
};

const bytesProblem = async (
  folder: string,
  place: string,
  { outputs }: Manifest['content'],
  isSameBuild: boolean,
): Promise<Problem> => {
  for (const { path } of outputs) {
    const [published, drawn] = [join(folder, path), join(place, path)];
    if ((await sha256OfFile(drawn)) === (await sha256OfFile(published))) continue;
    if (path.endsWith('.xlsx')) {
      const sheets = isSameBuild ? undefined : RELIED_UPON;
      const where = await differentCell(published, drawn, sheets).catch(() => 'which is not a workbook');
      if (where !== undefined) return `${path}, ${where}`;
    }
    if (isSameBuild || path.startsWith('upload/')) return `${path} is not what the logs give`;
  }
  return undefined;
};
