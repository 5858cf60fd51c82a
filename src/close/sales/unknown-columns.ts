import { nearestNames } from '../../kernel/text.ts';
import { normalColumn } from './files/normal-column.ts';
import type { TaxLines } from './profile/sale-map.ts';
import type { NumberedLines, PackedLines } from './profile/shape.ts';
import { numberedColumns } from './row-reader.ts';

/** The parts of a profile that list columns, and those that name them. */
type ColumnNaming = {
  readonly columns: readonly string[];
  readonly optionalColumns: readonly string[];
  readonly detect: { readonly required: readonly string[]; readonly any: readonly (readonly string[])[] };
  readonly file: { readonly headerAliases: Readonly<Record<string, string>> };
  readonly packedLines?: PackedLines | undefined;
  readonly packedRefunds?: PackedLines | undefined;
  readonly numberedLines?: NumberedLines | undefined;
  readonly statuses: readonly { readonly column: string }[];
  readonly map: { readonly line?: unknown };
  readonly taxLines?: TaxLines | undefined;
} & Readonly<Record<'locale' | 'shape' | 'rules' | 'checks' | 'controls', unknown>>;

/** What is wrong with a column that a profile names, and where it names it. */
export type ColumnProblem = { readonly path: PropertyKey[]; readonly message: string };

/**
 * Return the columns that a profile names and does not have: each of them would read as blank in every row. A profile
 * that lists no columns says nothing of those of its file. Items that are packed or numbered have the columns that the
 * profile gives them, and no others.
 */
export const unknownColumns = (profile: ColumnNaming): readonly ColumnProblem[] => {
  const { locale, shape, rules, checks, controls, columns, packedLines, packedRefunds, numberedLines } =
    profile;
  const statuses = profile.statuses.map(({ column }) => ({ column }));
  const { line, ...map } = profile.map;
  const { lines: taxes, ...taxPlace } = profile.taxLines ?? {};
  const ofFile: Known =
    columns.length > 0 ? [listedIn(profile), '`columns` or `optionalColumns`'] : undefined;
  const items = [...(packedLines?.labels ?? []), ...Object.keys(numberedLines ?? {})];
  const ofItems: Known =
    items.length > 0 ? [items, 'the labels of `packedLines` or the names of `numberedLines`'] : ofFile;
  const { labels, column, amount, date } = { ...packedRefunds } as Record<string, unknown>;
  return [
    ...problemsIn(
      { locale, shape, statuses, rules, map, checks, controls, numberedLines, taxLines: taxPlace },
      ofFile,
    ),
    ...problemsIn({ packedLines: { column: packedLines?.column }, packedRefunds: { column } }, ofFile),
    ...problemsIn({ map: { line } }, ofItems),
    ...problemsIn({ taxLines: { lines: taxes } }, namesOfTaxes(profile.taxLines) ?? ofFile),
    ...problemsIn({ packedRefunds: { amount, date } }, [
      labels as readonly string[],
      'the labels of `packedRefunds`',
    ]),
  ];
};

/** Names that may be used, and where they are listed; `undefined` where any may. */
type Known = readonly [names: readonly string[], list: string] | undefined;

const namesOfTaxes = (taxes: TaxLines | undefined): Known => {
  if (taxes?.kind === 'packed') return [taxes.labels, 'the labels of `taxLines`'];
  return taxes?.kind === 'numbered'
    ? [Object.keys(taxes.columns), 'the names of `taxLines.columns`']
    : undefined;
};

/** The columns that files of this kind are known to have, in every spelling. */
const listedIn = ({ columns, optionalColumns, detect, file }: ColumnNaming): readonly string[] => [
  ...columns,
  ...optionalColumns,
  ...detect.required,
  ...detect.any.flat(),
  ...Object.entries(file.headerAliases).flat(),
];

/** Stands for a column in a draft until a person names one. */
export const TO_DECIDE = 'DECIDE';

/** Keys whose texts name something else than a column, wherever they stand. */
const NO_COLUMNS =
  /^(?:constant|in|is|matches|sign|kind|type|treat|as|amounts|reason|message|since|tolerance|rateIs|labels|itemSplit|fieldSplit|forms|decimal|group|negative|currencySymbols|finerAmounts)$|^map\.(?:marketplace|fees\.\d+\.(?:description|items\.(?:name|amount)))$|^checks\.\d+\.name$|\.zone(?:\.map\..*|\.channelOr)?$/;

const problemsIn = (naming: object, known: Known): readonly ColumnProblem[] => {
  if (known === undefined) return [];
  const [columns, list] = known;
  const names = (columns ?? []).map(normalColumn);
  const problemsAt = (path: readonly PropertyKey[], part: unknown): readonly ColumnProblem[] => {
    if (typeof part === 'object' && part !== null)
      return Object.entries(part).flatMap(([key, value]) =>
        NO_COLUMNS.test(key) ? [] : problemsAt([...path, Array.isArray(part) ? Number(key) : key], value),
      );
    if (typeof part !== 'string' || part === TO_DECIDE || NO_COLUMNS.test(path.join('.'))) return [];
    const nearest = nearestNames(part, columns, 2).map((column) => `"${column}"`);
    const message = `"${part}" is not among ${list}; most like it: ${nearest.join(' or ')}`;
    return isAmong(names, normalColumn(part)) ? [] : [{ path: [...path], message }];
  };
  return problemsAt([], naming);
};

/** Whether a name is that of a column, of the second of its name, or of numbered columns (`#` for the number). */
const isAmong = (names: readonly string[], name: string): boolean =>
  names.includes(name) ||
  names.includes(name.replace(/ \(\d+\)$/, '')) ||
  (name.includes('#') && numberedColumns(names, name).length > 0);
