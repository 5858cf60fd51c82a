import { nearestNames } from '../../kernel/nearest-name.ts';
import { normalColumn } from './files/normal-column.ts';
import type { DateRule, Locale } from './profile/locale.ts';
import type { Check, RecordRule, SaleMap, TaxLines } from './profile/sale-map.ts';
import type { NumberedLines, PackedLines, PackedRefunds, Shape } from './profile/shape.ts';
import { numberedColumns } from './row-reader.ts';

/** The parts of a profile that list columns, and those that name them. */
type ColumnNaming = {
  readonly columns: readonly string[];
  readonly optionalColumns: readonly string[];
  readonly detect: { readonly required: readonly string[]; readonly any: readonly (readonly string[])[] };
  readonly file: { readonly headerAliases: Readonly<Record<string, string>> };
  readonly locale: Locale;
  readonly shape: Shape;
  readonly packedLines?: PackedLines | undefined;
  readonly packedRefunds?: PackedRefunds | undefined;
  readonly numberedLines?: NumberedLines | undefined;
  readonly rules: readonly RecordRule[];
  readonly map: SaleMap;
  readonly taxLines?: TaxLines | undefined;
  readonly checks: readonly Check[];
  readonly controls: readonly string[];
};

/** What is wrong with a column that a profile names, and where it names it. */
export type ColumnProblem = { readonly path: PropertyKey[]; readonly message: string };

/**
 * Return the columns that a profile names and does not have: each of them would read as blank in every row. A profile
 * that lists no columns says nothing of those of its file. Items that are packed or numbered have the columns that the
 * profile gives them, and no others.
 */
export const unknownColumns = (profile: ColumnNaming): readonly ColumnProblem[] => {
  const { columns, packedLines, packedRefunds, numberedLines, taxLines } = profile;
  const { line, ...map } = namingOfMap(profile.map);
  const ofItems = packedLines || numberedLines;
  const ofTaxItems = taxLines && taxLines.kind !== 'rows';
  const ofRecord = {
    locale: namingOfLocale(profile.locale),
    shape: { ...profile.shape, kind: undefined },
    packedLines: { column: packedLines?.column },
    packedRefunds: { column: packedRefunds?.column },
    numberedLines,
    rules: profile.rules.map(({ when, fileHas }) => ({ when, fileHas })),
    map: ofItems ? map : { ...map, line },
    taxLines: ofTaxItems ? placeOf(taxLines) : { lines: taxLines?.lines.map(namingOfTax) },
    checks: profile.checks.map(({ amount, equals }) => ({ amount, equals })),
    controls: profile.controls,
  };
  return [
    ...(columns.length > 0 ? problemsIn(ofRecord, listedIn(profile), '`columns` or `optionalColumns`') : []),
    ...(ofItems
      ? problemsIn(
          { map: { line } },
          [...(packedLines?.labels ?? []), ...Object.keys(numberedLines ?? {})],
          'the labels of `packedLines` or the names of `numberedLines`',
        )
      : []),
    ...(ofTaxItems
      ? problemsIn(
          { taxLines: { lines: taxLines.lines.map(namingOfTax) } },
          namesIn(taxLines),
          taxLines.kind === 'packed' ? 'the labels of `taxLines`' : 'the names of `taxLines.columns`',
        )
      : []),
    ...(packedRefunds
      ? problemsIn(
          { packedRefunds: namingOfRefunds(packedRefunds) },
          packedRefunds.labels,
          'the labels of `packedRefunds`',
        )
      : []),
  ];
};

/** The columns that files of this kind are known to have, in every spelling. */
const listedIn = ({ columns, optionalColumns, detect, file }: ColumnNaming): readonly string[] => [
  ...columns,
  ...optionalColumns,
  ...detect.required,
  ...detect.any.flat(),
  ...Object.entries(file.headerAliases).flat(),
];

/** The expressions of each part, under its own keys, without texts that name something else than a column. */
const namingOfMap = ({ fees, marketplace, exemption, line, ...map }: SaleMap) => ({
  ...map,
  fees: fees.map(({ amount }) => ({ amount })),
  marketplace:
    marketplace === undefined || marketplace === 'always'
      ? undefined
      : Array.isArray(marketplace)
        ? marketplace.map(({ when }) => ({ when }))
        : { when: marketplace.when },
  exemption: exemption.map(({ when }) => ({ when })),
  line: line && { ...line, rules: line.rules.map(({ when }) => ({ when })) },
});

const namingOfLocale = ({ date, taxDate, currency }: Locale) => ({
  date: namingOfDate(date),
  taxDate: taxDate && namingOfDate(taxDate),
  currency,
});

const namingOfDate = ({ columns, zone }: DateRule) => ({
  columns,
  zone: typeof zone === 'object' && 'column' in zone ? { column: zone.column } : undefined,
});

const namingOfRefunds = ({ amount, date }: PackedRefunds) => ({ amount, date: namingOfDate(date) });

const namingOfTax = ({ rateIs: _, ...tax }: TaxLines['lines'][number]) => tax;

type TaxItems = Exclude<TaxLines, { readonly kind: 'rows' }>;

const placeOf = (taxes: TaxItems) =>
  taxes.kind === 'numbered' ? { columns: taxes.columns } : { column: taxes.column };

const namesIn = (taxes: TaxItems): readonly string[] =>
  taxes.kind === 'numbered' ? Object.keys(taxes.columns) : taxes.labels;

/** Stands for a column in a draft until a person names one. */
export const TO_DECIDE = 'DECIDE';

/** Keys of expressions whose texts name something else than a column. */
const NO_COLUMNS: ReadonlySet<string> = new Set(['constant', 'in', 'is', 'matches', 'sign']);

const problemsIn = (naming: unknown, known: readonly string[], list: string): readonly ColumnProblem[] => {
  const names = known.map(normalColumn);
  const problemsAt = (path: readonly PropertyKey[], part: unknown): readonly ColumnProblem[] => {
    if (typeof part === 'string')
      return part === TO_DECIDE || isAmong(names, normalColumn(part))
        ? []
        : [
            {
              path: [...path],
              message: `"${part}" is not among ${list}; most like it: ${nearest(part, known)}`,
            },
          ];
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).flatMap(([key, value]) =>
      NO_COLUMNS.has(key) ? [] : problemsAt([...path, Array.isArray(part) ? Number(key) : key], value),
    );
  };
  return problemsAt([], naming);
};

const nearest = (name: string, known: readonly string[]): string =>
  nearestNames(name, known, 2)
    .map((column) => `"${column}"`)
    .join(' or ');

/** Whether a name is that of a column, of the second of its name, or of numbered columns (`#` for the number). */
const isAmong = (names: readonly string[], name: string): boolean =>
  names.includes(name) ||
  names.includes(name.replace(/ \(\d+\)$/, '')) ||
  (name.includes('#') && numberedColumns(names, name).length > 0);
