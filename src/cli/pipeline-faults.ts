import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { designedError } from '../kernel/disk-failure.ts';
import { TieoutError } from '../kernel/errors.ts';

/** A user's pipeline: its file, its name, and the folder of the program that runs it. */
type PipelineFile = { readonly file: string; readonly name: string; readonly program: string };

/**
 * Returns a function that tells the errors of a user's pipeline as such: those that its file has thrown, or code that it
 * calls and that is not Tieout's. Errors that Tieout designed, and defects of Tieout, stay what they are.
 */
export const pipelineFaults = async ({
  file,
  name,
  program,
}: PipelineFile): Promise<(error: unknown) => unknown> => {
  // Node names a module by its real path.
  const path = await realpath(file).catch(() => resolve(file));
  const isOfProgram = (place: Place): boolean =>
    !isAbsolute(place.path) ||
    (place.path !== path && PROGRAM.some((folder) => place.path.startsWith(join(program, folder, sep))));
  return (error) => {
    if (designedError(error)) return error;
    const places = error instanceof Error ? placesIn(error, path) : [];
    const [first] = places;
    // What is thrown without being an error is never Tieout's.
    if (error instanceof Error && (!first || isOfProgram(first))) return error;
    const line = places.find((place) => place.path === path)?.line;
    const elsewhere = first && first.path !== path ? ` (at ${first.path}:${first.line})` : '';
    return new TieoutError({
      code: 'E_PIPELINE_FAILED',
      recovery: 'fix-input',
      message: `${file}${line === undefined ? '' : `:${line}`}: the pipeline "${name}" failed: ${wordsOf(error)}${elsewhere}`,
      nextStep: 'Correct the file; what the stages did before is kept',
      cause: error,
    });
  };
};

/** The folders of this program that hold code. */
const PROGRAM = ['dist', 'src', 'pipelines'];

type Place = { readonly path: string; readonly line: string };

/**
 * Returns the places in the trace of an error, the innermost first. Node's own and those of packages are left out: what
 * calls them decides. Places of the built program are relative to its folder.
 */
const placesIn = ({ message, stack = '' }: Error, own: string): readonly Place[] =>
  [...stack.replace(message, () => '').matchAll(/^ +at (.*)$/gm)]
    .flatMap(([, frame = '']) => placeOf(frame) ?? [])
    .filter(({ path }) => path === own || !/(^|[/\\])node_modules[/\\]/.test(path));

const placeOf = (frame: string): Place | undefined => {
  const said = /\((.*)\)$/.exec(frame)?.[1] ?? frame.replace(/^async /, '');
  const [, place = '', line = ''] = /^(.+):(\d+):\d+$/.exec(said) ?? [];
  if (place === '' || /^(node:|<)/.test(place)) return undefined;
  return { path: place.startsWith('file:') ? fileURLToPath(place.replace(/[?#].*$/, '')) : place, line };
};

/** Returns what an error says, with its kind if it has one. */
const wordsOf = (error: unknown): string => {
  const said = error instanceof Error && error.name === 'Error' ? error.message : String(error);
  return said === '' ? 'an error without a message' : said.replace(/\.$/, '');
};
