import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, normalize, resolve } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import * as z from 'zod';
import { type Decision, decisionIndex } from '../judge/decision.ts';
import { systemReason, TieoutError } from '../kernel/errors.ts';
import { oncePer } from '../kernel/once.ts';
import { type Problem, problemAt, schemaProblems } from '../kernel/schema-problems.ts';
import { Configuration } from './schema.ts';

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
};

/**
 * Read and validate `tieout.yaml`, with the decision files of the named entity, or of all of them in file order.
 *
 * @throws {TieoutError} those of `loadUndecided`; E_DECISION for problems in the decision files
 */
export const loadEntities = async (file: string, name?: string): Promise<readonly LoadedConfiguration[]> =>
  Promise.all((await loadUndecided(file, name)).map(withDecisions));

/** Load exactly one entity, for work that cannot handle several at once. @throws {TieoutError} E_ENTITY */
export const loadConfiguration = async (file: string, name?: string): Promise<LoadedConfiguration> =>
  withDecisions(await loadOne(file, name));

/** Load exactly one entity without its decision files. @throws {TieoutError} those of `loadUndecided` */
export const loadOne = async (file: string, name?: string): Promise<LoadedConfiguration> => {
  const entities = await loadUndecided(file, name);
  const [entity, ...others] = entities;
  if (entity && others.length === 0) return entity;
  throw entityError(`${file}: there are several entities, and one is wanted`, entities);
};

/**
 * Read and validate `tieout.yaml` alone. What needs decisions reads them itself: a mistake in a decision file, or a lost
 * one, stops neither a backup nor the close of another entity.
 *
 * @throws {TieoutError} E_CONFIG_MISSING, E_CONFIG_SYNTAX or E_CONFIG_INVALID, naming the file and the place; E_ENTITY
 */
export const loadUndecided = async (file: string, name?: string): Promise<readonly LoadedConfiguration[]> => {
  const placed = placedDocument(await readText(file));
  const { document } = placed;
  const [syntax] = document.errors;
  if (syntax) {
    const [start] = syntax.linePos ?? [];
    const place = start ? `${file}:${start.line}:${start.col}` : file;
    throw syntaxError(`${place}: ${syntaxText(syntax)}`, 'Correct the YAML at that place.');
  }
  const { entities, problems } = checkConfiguration(plainDataOf(document, file));
  if (problems.length > 0) throw invalid(file, problems, placed);
  const beside = existsSync(resolve(dirname(resolve(file)), DECISIONS)) ? [DECISIONS] : [];
  const all = entities.map((entity) => ({
    ...entity,
    decided: [],
    decisions: entity.decisions.length > 0 ? entity.decisions : beside,
  }));
  const chosen = all.filter(({ entity }) => name === undefined || entity === name);
  if (chosen.length === 0) throw entityError(`${file}: there is no entity "${name}"`, entities);
  return chosen.map((entity) => configurationIn(file, entity, all));
};

/** The file of answers beside the configuration, which need not be named there. */
const DECISIONS = 'decisions.csv';

/**
 * Read the decision files of an entity. Their reader is imported only when it is needed: it loads much more code than a
 * configuration does.
 *
 * @throws {TieoutError} E_DECISION
 */
export const withDecisions = async (entity: LoadedConfiguration): Promise<LoadedConfiguration> => {
  if (entity.decisions.length === 0) return entity;
  const { decidedIn } = await import('../judge/decided-in.ts');
  return { ...entity, decided: await decidedIn(entity.decisions, entity.resolvePath) };
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
    throw syntaxError(`${file}: ${(error as Error).message}`, 'Put a text that starts with * in quotes.');
  }
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new TieoutError({
      code: 'E_CONFIG_MISSING',
      message: `${file}: the configuration cannot be read: ${systemReason(error)}`,
      nextStep:
        'Name one with --config, or run where tieout.yaml is. From a folder of exports, `tieout init FOLDER` makes one.',
      cause: error,
    });
  }
};

const syntaxError = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_CONFIG_SYNTAX', message, nextStep });

/** Report every problem in a line of its own, from the top of the file; the first with the file, for editors to open. */
const invalid = (
  file: string,
  problems: readonly Problem[],
  { document, lineOf }: PlacedDocument,
): TieoutError => {
  const lines = problems
    .map((problem) => ({ line: lineOf(problem.at), text: withNames(problem, document) }))
    .sort((one, other) => one.line - other.line)
    .map(({ line, text }, index) => `${index === 0 ? `${file}:` : '  line '}${line}: ${text}`);
  return new TieoutError({
    code: 'E_CONFIG_INVALID',
    message: lines.join('\n'),
    nextStep: 'Correct these keys and run again.',
  });
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
type PlacedDocument = ReturnType<typeof placedDocument>;

/** Parse YAML. Warnings of the library are not printed: their causes show up later as invalid keys. */
const placedDocument = (text: string) => {
  const lines = new LineCounter();
  const document = parseDocument(text, { logLevel: 'error', lineCounter: lines });
  return {
    document,
    /** Returns the line of a path, counted from 1; the line of its nearest parent if the path is missing. */
    lineOf: (path: readonly PropertyKey[]): number => lines.linePos(offsetOf(document, path)).line,
  };
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
export const decisionIndexOf = oncePer(({ decided }: DecidedConfiguration) => decisionIndex(decided));

/** The schema of a configuration file with several entities. */
export const SeveralEntities = z.strictObject({ entities: z.array(Configuration).min(1) });

/** Check the data of a configuration file, with one entity or with several under `entities`. */
export const checkConfiguration = (data: unknown) => {
  const isSeveral = typeof data === 'object' && data !== null && 'entities' in data;
  const schema = isSeveral ? SeveralEntities : Configuration;
  // Each problem names the value it is about.
  const result = schema.safeParse(data, { reportInput: true });
  if (!result.success) return { entities: [], problems: schemaProblems(schema, result.error.issues) };
  const entities = 'entities' in result.data ? result.data.entities : [result.data];
  return { entities, problems: collisionsOf(entities) };
};

type Served = Pick<Configuration, 'service' | 'channels' | 'entity'>;

/** Find entities that would overwrite each other's folders or records, or count the same sales. */
const collisionsOf = (entities: readonly Served[]): readonly Problem[] =>
  entities.flatMap((entity, index) =>
    entities
      .slice(0, index)
      .flatMap((other) => [
        ...(other.entity === entity.entity
          ? [problemAt(['entities', index, 'entity'], `"${entity.entity}" is that of another entity already`)]
          : []),
        ...mixedProviders(entity, other).map((provider) =>
          problemAt(
            ['entities', index],
            `its "${provider}" would mix with that of ${other.entity} at the service, which sees one account; give each a service.keyVariable of its own, or their channels different providers`,
          ),
        ),
        ...sharedExports(entity, other).map(({ channel, file }) =>
          problemAt(
            ['entities', index, 'channels', channel, 'files'],
            `"${file}" is read by ${other.entity} as well, so both would have all of its sales; give each its own export, or each a profile that takes only its own rows`,
          ),
        ),
      ]),
  );

/** Returns the providers that two entities have in common in one account of a remote service. */
const mixedProviders = (entity: Served, other: Served): readonly string[] => {
  const { url, keyVariable } = entity.service;
  if (url === undefined || url !== other.service.url || keyVariable !== other.service.keyVariable) return [];
  const taken = new Set(other.channels.map(({ name, provider = name }) => provider));
  return entity.channels.map(({ name, provider = name }) => provider).filter((each) => taken.has(each));
};

/** Returns exports that two entities read in the same way. Profiles of their own may each take other rows of one. */
const sharedExports = (entity: Served, other: Served) =>
  entity.channels.flatMap(({ profile, files }, channel) => {
    const taken = other.channels
      .filter((its) => its.profile === undefined || profile === undefined || its.profile === profile)
      .flatMap((its) => its.files.map((path) => normalize(path)));
    return files.filter((file) => taken.includes(normalize(file))).map((file) => ({ channel, file }));
  });
