import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { type Decision, type DecisionIndex, decisionIndex } from '../judge/decision.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { designedError, TieoutError } from '../kernel/errors.ts';
import type { Problem } from '../kernel/schema-problems.ts';
import { checkConfiguration } from './check-configuration.ts';
import type { Configuration } from './schema.ts';

/** The configuration of an entity with the contents of its decision files. */
export type DecidedConfiguration = Configuration & { readonly decided: readonly Decision[] };

export type LoadedConfiguration = DecidedConfiguration & {
  /** The configuration file, as the user gave it. */
  readonly file: string;
  /** Every file, folder and pattern that any entity in the file names: exports, registers, balances, decisions. */
  readonly named: readonly string[];
  /** Makes a path of the configuration absolute, relative to the file's folder. */
  readonly resolvePath: (path: string) => string;
  /** Does the same for the path in a database URL. */
  readonly resolveUrl: (url: string) => string;
  /** Why its decision files cannot be read, if others go on without it: what needs its decisions stops with this error. */
  readonly undecided?: TieoutError;
};

/**
 * Read and validate `tieout.yaml`; return the named entity, or all of them in file order.
 *
 * @throws {TieoutError} E_CONFIG_MISSING, E_CONFIG_UNREADABLE, E_CONFIG_SYNTAX or E_CONFIG_INVALID, naming the file and
 * the place; E_ENTITY; E_DECISION for problems in the decision files
 */
export const loadEntities = async (file: string, name?: string): Promise<readonly LoadedConfiguration[]> =>
  Promise.all((await chosenOf(file, name)).map((entity) => withOwnDecisions(file, entity)));

/**
 * Read and validate `tieout.yaml` alone, for commands that need no decision: a mistake in a decision file, or a lost one,
 * stops no backup.
 *
 * @throws {TieoutError} Like `loadEntities`, without E_DECISION
 */
export const loadUndecided = async (file: string): Promise<readonly LoadedConfiguration[]> => {
  const placed = placedDocument(await readText(file));
  const { document } = placed;
  const [syntax] = document.errors;
  if (syntax) {
    const [start] = syntax.linePos ?? [];
    const place = start ? `${file}:${start.line}:${start.col}` : file;
    throw configurationError(
      'E_CONFIG_SYNTAX',
      `${place}: ${syntaxText(syntax)}`,
      'Correct the YAML at that place.',
    );
  }
  const { entities, problems } = checkConfiguration(plainDataOf(document, file));
  if (problems.length > 0) throw invalid(file, problems, placed);
  const answered = existsSync(resolve(dirname(resolve(file)), DECISIONS))
    ? entities.map((entity) => (entity.decisions.length > 0 ? entity : { ...entity, decisions: [DECISIONS] }))
    : entities;
  return answered.map((entity) => configurationIn(file, { ...entity, decided: [] }, answered));
};

/** The file of answers beside the configuration, which need not be named there. */
const DECISIONS = 'decisions.csv';

/**
 * The reader of decision files is imported only when it is needed: it loads much more code than a configuration does.
 */
const withOwnDecisions = async (file: string, entity: LoadedConfiguration): Promise<LoadedConfiguration> => {
  if (entity.decisions.length === 0) return entity;
  const { decidedIn } = await import('../judge/decided-in.ts');
  const decided = await decidedIn(entity.decisions, (path) => resolve(dirname(resolve(file)), path));
  return { ...entity, decided };
};

/** Add to an entity's configuration its file, and the paths that all entities in the file name. */
export const configurationIn = (
  file: string,
  entity: DecidedConfiguration,
  entities: readonly Configuration[] = [entity],
): LoadedConfiguration => {
  const folder = dirname(resolve(file));
  return {
    ...entity,
    file,
    named: entities.flatMap(({ channels, certificates, ledger, decisions }) => [
      ...channels.flatMap(({ files, refundDates }) => [...files, ...refundDates]),
      ...certificates,
      ...(ledger ? [ledger] : []),
      ...decisions,
    ]),
    resolvePath: (path) => resolve(folder, path),
    resolveUrl: (url) =>
      url.startsWith('sqlite:') && url !== 'sqlite::memory:'
        ? `sqlite:${resolve(folder, url.slice('sqlite:'.length))}`
        : url,
  };
};

/**
 * Load them for work on one entity after the other: if the decision files of an entity cannot be read, the error is
 * kept in its `undecided`, and the others can go on.
 */
export const chooseEach = async (
  file: string,
  name: string | undefined,
): Promise<readonly LoadedConfiguration[]> => {
  const chosen = (await chosenOf(file, name)).map((entity) =>
    withOwnDecisions(file, entity).catch((error: unknown) => {
      const undecided = designedError(error);
      if (!undecided || undecided.recovery === 'defect') throw error;
      return { ...entity, undecided };
    }),
  );
  return Promise.all(chosen);
};

const chosenOf = async (file: string, name: string | undefined): Promise<readonly LoadedConfiguration[]> => {
  const entities = await loadUndecided(file);
  const chosen = entities.filter(({ entity }) => name === undefined || entity === name);
  if (chosen.length === 0) throw entityError(`${file}: there is no entity "${name}"`, entities);
  return chosen;
};

/** Load exactly one entity, for commands that cannot handle several at once. @throws {TieoutError} E_ENTITY */
export const loadConfiguration = async (file: string, name?: string): Promise<LoadedConfiguration> => {
  const [entity, ...others] = await loadEntities(file, name);
  if (entity && others.length === 0) return entity;
  throw entityError(`${file}: there are several entities, and one is wanted`, [
    ...(entity ? [entity] : []),
    ...others,
  ]);
};

const entityError = (message: string, entities: readonly Configuration[]): TieoutError =>
  new TieoutError({
    code: 'E_ENTITY',
    message,
    nextStep: `Name one with --entity: ${entities.map(({ entity }) => entity).join(', ')}`,
  });

/** Convert the document to plain data. YAML reads an unquoted text that starts with `*` as an alias. */
const plainDataOf = (parsed: Document, file: string): unknown => {
  try {
    return parsed.toJS();
  } catch (error) {
    throw configurationError(
      'E_CONFIG_SYNTAX',
      `${file}: ${(error as Error).message}`,
      'Put a text that starts with * in quotes.',
      error,
    );
  }
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw configurationError(
        'E_CONFIG_MISSING',
        `${file}: there is no such configuration file`,
        'Name one with --config, or run where tieout.yaml is. From a folder of exports, `tieout init FOLDER` makes one.',
        error,
      );
    }
    throw configurationError(
      'E_CONFIG_UNREADABLE',
      `${file}: the configuration cannot be read (${code})`,
      'Name a file with --config that this user may read.',
      error,
    );
  }
};

const configurationError = (
  code: ErrorCode,
  message: string,
  nextStep: string,
  cause?: unknown,
): TieoutError => new TieoutError({ code, message, nextStep, cause });

/** Maximum number of problems listed; more of them mean that it is another file. */
const PROBLEMS_SHOWN_MAX = 50;

/** Report every problem in a line of its own, from the top of the file; the first with the file, for editors to open. */
const invalid = (
  file: string,
  problems: readonly Problem[],
  { document, lineOf }: PlacedDocument,
): TieoutError => {
  const placed = problems
    .map((problem) => ({ line: lineOf(problem.at), text: withNames(problem, document) }))
    .sort((one, other) => one.line - other.line);
  const shown = placed
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map(({ line, text }, index) => `${index === 0 ? `${file}:` : '  line '}${line}: ${text}`);
  const more = placed.length > shown.length ? [`  and ${placed.length - shown.length} more`] : [];
  return configurationError(
    'E_CONFIG_INVALID',
    [...shown, ...more].join('\n'),
    'Correct these keys and run again.',
  );
};

/** Name list entries in a problem by their key, as in `registrations[CA]`, instead of by index. */
const withNames = ({ at, text }: Problem, document: Document): string =>
  at.reduce<string>((said, part, index) => {
    if (typeof part !== 'number') return said;
    const entry: unknown = document.getIn(at.slice(0, index + 1));
    const name = isMap(entry)
      ? NAMES.map((key) => entry.get(key)).find((value) => value !== undefined)
      : undefined;
    return said.replace(`[${part}]`, name === undefined ? ` (entry ${part + 1})` : `[${name}]`);
  }, text);

/** Keys that identify list entries, in order of preference. */
const NAMES = ['state', 'sku', 'record', 'entity', 'name', 'place', 'period'];

/** Describe a YAML syntax error for the person who wrote the file. */
const syntaxText = ({ code, message }: YAMLError): string =>
  SAID[code] ?? (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

const SAID: { readonly [Code in YAMLError['code']]?: string } = {
  BAD_INDENT:
    'a [ or { before this place is not closed, or the line is indented less than what it belongs to',
  BAD_SCALAR_START: 'a text that begins with this character must be in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a second value follows a key: put a text with a colon in quotes, and indent a key as far as the keys beside it',
  DUPLICATE_KEY: 'this key was given before',
  MISSING_CHAR: 'a quote, bracket or brace is not closed',
  MULTILINE_IMPLICIT_KEY: 'a line without a colon, or without a blank after it, stands where a key is wanted',
  TAB_AS_INDENT: 'the line is indented with a tab; use spaces',
  UNEXPECTED_TOKEN: 'this does not fit what stands before it',
};

/** The output folder for all entities: the one given, or else the configured one. */
export const outputOf = (
  { resolvePath, output }: Pick<LoadedConfiguration, 'resolvePath' | 'output'>,
  given: string | undefined,
): string => (given === undefined ? resolvePath(output) : resolve(given));

/** The folder of the tax content: the command's, else the configuration's; `undefined` for Tieout's own. */
export const contentFolder = (
  { content, resolvePath }: LoadedConfiguration,
  named: string | undefined,
): string | undefined => named ?? (content === undefined ? undefined : resolvePath(content));

/** A YAML document with the lines of its paths. */
export type PlacedDocument = {
  readonly document: Document;
  /** Line of a path, counted from 1; the line of its nearest parent if the path is missing. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
};

/** Parse YAML. Warnings of the library are not printed: their causes show up later as invalid keys. */
export const placedDocument = (text: string): PlacedDocument => {
  const lines = new LineCounter();
  const document = parseDocument(text, { logLevel: 'error', lineCounter: lines });
  return { document, lineOf: (path) => lines.linePos(offsetOf(document, path)).line };
};

const offsetOf = ({ contents }: Document, path: readonly PropertyKey[]): number => {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
};

/** Index the decisions of the decision files by record and cause, once per configuration. */
export const decisionIndexOf = (configuration: DecidedConfiguration): DecisionIndex => {
  const found = known.get(configuration) ?? decisionIndex(configuration.decided);
  known.set(configuration, found);
  return found;
};

const known = new WeakMap<DecidedConfiguration, DecisionIndex>();
