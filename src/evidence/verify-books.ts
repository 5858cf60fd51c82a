import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
  if (content.outputs.some(({ path }) => path === KEYS_PATH)) await writeKeys(place, keys);
  const problem =
    firstDifference('leaves', leavesOf(books, sums.filing), content.leaves, 'the manifest') ??
    namesProblem(content, await filesBelow(place)) ??
    (await bytesProblem(folder, place, content, content.build === build));
  return asBuilt(problem, manifest, build);
};

const writeKeys = async (place: string, keys: Buffer): Promise<void> => {
  await mkdir(join(place, dirname(KEYS_PATH)), { recursive: true });
  await writeFile(join(place, KEYS_PATH), keys);
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
    const published = join(folder, path);
    const drawn = join(place, path);
    if ((await sha256OfFile(drawn)) === (await sha256OfFile(published))) continue;
    const isWorkbook = path.endsWith('.xlsx');
    if (!isSameBuild && !isWorkbook && !path.startsWith('upload/')) continue;
    const sheets = isSameBuild ? undefined : RELIED_UPON;
    const where = isWorkbook
      ? await cellProblem(published, drawn, sheets)
      : await lineProblem(published, drawn);
    if (where !== undefined) return `${path}, ${where}`;
    if (isSameBuild)
      return `${path} was saved by another program: every cell has the value that the logs give it`;
  }
  return undefined;
};

const cellProblem = async (
  found: string,
  drawn: string,
  sheets: ReadonlySet<string> | undefined,
): Promise<Problem> => {
  try {
    const other = await differentCell(found, drawn, sheets);
    return (
      other &&
      `sheet ${other.sheet}, cell ${other.cell}: ${versus(other.found, other.expected, 'an empty cell')}`
    );
  } catch {
    return 'which is not a workbook';
  }
};

const lineProblem = async (found: string, drawn: string): Promise<Problem> => {
  const left = await linesOf(found);
  const right = await linesOf(drawn);
  const index = right.findIndex((line, number) => line !== left[number]);
  const line = index === -1 ? right.length : index;
  return `line ${line + 1}: ${versus(left[line], right[line], 'an empty line')}`;
};

const linesOf = async (path: string): Promise<readonly string[]> =>
  (await readFile(path, 'utf8')).split('\n');

const TEXT_LENGTH_MAX = 80;

/** Shows two texts around their first difference; `undefined` marks the end of a file. */
const versus = (found: string | undefined, expected: string | undefined, empty: string): string => {
  const left = found ?? '';
  const right = expected ?? '';
  const shorter = Math.min(left.length, right.length);
  let same = 0;
  while (same < shorter && left[same] === right[same]) same += 1;
  const from = Math.max(0, same - TEXT_LENGTH_MAX / 2);
  const shown = (text: string | undefined): string => {
    if (text === undefined) return 'the end of the file';
    return text === '' ? empty : text.slice(from, from + TEXT_LENGTH_MAX);
  };
  return `found ${shown(found)}, expected ${shown(expected)}`;
};
