import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import type * as z from 'zod';
import { TieoutError } from '../../kernel/errors.ts';
import { nearestName } from './nearest-name.ts';
import { Configuration } from './schema.ts';

export type LoadedConfiguration = Configuration & {
  /** The configuration file, as the user named it. */
  readonly file: string;
  /** A path of the configuration, made absolute against the folder of the file. */
  readonly resolvePath: (path: string) => string;
  /** A database URL of the configuration, its path made absolute in the same way. */
  readonly resolveUrl: (url: string) => string;
};

/**
 * Read and validate `tieout.yaml`.
 *
 * @throws {TieoutError} E_CONFIG_MISSING, E_CONFIG_SYNTAX or E_CONFIG_INVALID, each naming the file and the place
 */
export const loadConfiguration = async (file: string): Promise<LoadedConfiguration> => {
  const document = parseDocument(await readText(file));
  const [syntax] = document.errors;
  if (syntax) {
    const [start] = syntax.linePos ?? [];
    const place = start ? `${file}:${start.line}:${start.col}` : file;
    throw configurationError(
      'E_CONFIG_SYNTAX',
      `${place}: ${syntax.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`,
      'Correct the YAML at that place.',
    );
  }
  const result = Configuration.safeParse(plainDataOf(document, file));
  if (!result.success) throw invalid(file, result.error.issues);
  const folder = dirname(resolve(file));
  return {
    ...result.data,
    file,
    resolvePath: (path) => resolve(folder, path),
    resolveUrl: (url) =>
      url.startsWith('sqlite:') && url !== 'sqlite::memory:'
        ? `sqlite:${resolve(folder, url.slice('sqlite:'.length))}`
        : url,
  };
};

/** The document as plain data. A text that starts with a star is taken for the name of another place in it. */
const plainDataOf = (parsed: ReturnType<typeof parseDocument>, file: string): unknown => {
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
        'Name one with --config, or run where tieout.yaml is.',
        error,
      );
    }
    throw configurationError(
      'E_CONFIG_UNREADABLE',
      `${file}: the configuration cannot be read (${code})`,
      'Give this user the right to read it.',
      error,
    );
  }
};

const configurationError = (
  code: `E_${string}`,
  message: string,
  nextStep: string,
  cause?: unknown,
): TieoutError => new TieoutError({ code, recovery: 'fix-config', message, nextStep, cause });

const invalid = (file: string, issues: readonly z.core.$ZodIssue[]): TieoutError => {
  const problems = issues.flatMap((issue) => problemsOf(issue));
  const shown = problems.slice(0, 5);
  const more = problems.length > shown.length ? ` (and ${problems.length - shown.length} more)` : '';
  return configurationError(
    'E_CONFIG_INVALID',
    `${file}: ${shown.join('; ')}${more}`,
    'Correct these keys and run again.',
  );
};

const problemsOf = (issue: z.core.$ZodIssue): string[] => {
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  const place = path.replace(/^\./, '');
  if (issue.code !== 'unrecognized_keys') return [`${place || 'the file'}: ${issue.message}`];
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => {
    const nearest = nearestName(key, known);
    const inside = place ? `${place}: ` : '';
    return `${inside}unknown key "${key}"${nearest ? `; did you mean "${nearest}"?` : ''}`;
  });
};

/** The keys the schema knows at a path, found by walking it as data. */
const knownKeys = (path: readonly PropertyKey[]): readonly string[] => {
  let schema: z.core.$ZodType | undefined = Configuration;
  for (const part of path)
    schema = typeof part === 'number' ? elementOf(unwrap(schema)) : shapeOf(unwrap(schema))[String(part)];
  return Object.keys(shapeOf(unwrap(schema)));
};

type Definition = {
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Record<string, z.core.$ZodType>;
};

const definitionOf = (schema: z.core.$ZodType | undefined): Definition =>
  (schema?._zod.def ?? {}) as Definition;

const unwrap = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined => {
  const { innerType } = definitionOf(schema);
  return innerType ? unwrap(innerType) : schema;
};

const elementOf = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined =>
  definitionOf(schema).element;
const shapeOf = (schema: z.core.$ZodType | undefined): Record<string, z.core.$ZodType> =>
  definitionOf(schema).shape ?? {};
