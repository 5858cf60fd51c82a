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
  // Packages can call each other more often than a trace has places by default.
  Error.stackTraceLimit = PLACES_MAX;
  // Node names a module by its real path.
  const own = await realpath(file).catch(() => resolve(file));
  return (error) => {
    if (designedError(error)) return error;
    const places = error instanceof Error ? placesIn(error, { own, program }) : [];
    const [first] = places;
    if (first && first.path !== own && isOfProgram(first, program)) return error;
    const line = places.find(({ path }) => path === own)?.line;
    const elsewhere = first && first.path !== own ? ` (at ${first.path}:${first.line})` : '';
    return new TieoutError({
      code: 'E_PIPELINE_FAILED',
      recovery: 'fix-input',
      message: `${file}${line === undefined ? '' : `:${line}`}: the pipeline "${name}" failed: ${wordsOf(error)}${elsewhere}`,
      nextStep: 'Correct the file; what the stages did before is kept',
      cause: error,
    });
  };
};

const PLACES_MAX = 50;

/** The folders of this program that hold code. */
const PROGRAM = ['dist', 'src', 'pipelines'];
/** Its sources, as the traces of the built program name them. */
const SOURCE = /^(src|pipelines)\//;
/** What runs the pipeline: places from here outwards say nothing of an error inside. */
const RUNNER = 'src/cli/run-pipeline-file.ts';
/** What runs its stages: the stage or the caller decides. */
const STAGES = 'src/runtime/pipeline.ts';

type Place = { readonly path: string; readonly line: string };

const isOfProgram = ({ path }: Place, program: string): boolean =>
  !isAbsolute(path) || PROGRAM.some((folder) => path.startsWith(join(program, folder, sep)));

/**
 * Returns the places in the trace of an error within the pipeline, the innermost first. Those of Node and of packages
 * are left out: what calls them decides.
 */
const placesIn = (
  { message, stack }: Error,
  { own, program }: { readonly own: string; readonly program: string },
): readonly Place[] => {
  // A library can put anything there.
  const trace = typeof stack === 'string' ? stack.replace(message, () => '') : '';
  const places = [...trace.matchAll(/^ +at (.*)$/gm)].flatMap(([, frame = '']) => placeOf(frame) ?? []);
  const isAt = ({ path }: Place, source: string) => path === source || path === join(program, source);
  const border = places.findIndex((place) => isAt(place, RUNNER));
  const within = border < 0 ? places : places.slice(0, border);
  return within.filter((place) => {
    if (isAt(place, STAGES)) return false;
    return place.path === own || isOfProgram(place, program) || !PACKAGE.test(place.path);
  });
};

const PACKAGE = /[/\\]node_modules[/\\]/;

/** Returns the place of a line of a trace; `undefined` for Node's own, evaluated code, and packages in the build. */
const placeOf = (frame: string): Place | undefined => {
  const said = / \((.*)\)$/.exec(frame)?.[1] ?? frame.replace(/^async /, '');
  const [, place = '', line = ''] = /^(.+):(\d+):\d+$/.exec(said) ?? [];
  const path = place.startsWith('file:///') ? fileURLToPath(place.replace(/[?#].*$/, '')) : place;
  return isAbsolute(path) || SOURCE.test(path) ? { path, line } : undefined;
};

/** Returns what an error says, with its kind if it has one. */
const wordsOf = (error: unknown): string => {
  const said = textOf(error instanceof Error && error.name === 'Error' ? error.message : error);
  return said === '' ? 'an error without a message' : said.replace(/\.$/, '');
};

/** What is thrown can be anything, also what has no text. */
const textOf = (thrown: unknown): string => {
  try {
    return String(thrown);
  } catch {
    return 'what it threw has no text';
  }
};
