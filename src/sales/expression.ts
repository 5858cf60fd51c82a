import * as z from 'zod';
import { isTimeZone, WANTED_ZONE } from '../kernel/time-zones.ts';

/**
 * The closed set of expressions in a source profile. An auditor can read each of them aloud; none is executed as code.
 */

/** The name of a column, spelled as in the header. */
export const Column = z.string().min(1).meta({ title: 'column' });

/** A regular expression in a profile; case does not matter. */
export const Pattern = z
  .string()
  .refine((text) => groupsIn(text) !== undefined, 'must be a regular expression')
  .meta({ title: 'regular expression' });

/** A regular expression that extracts part of a cell. */
const PartPattern = z
  .string()
  .refine((text) => groupsIn(text) === 1, 'must be a regular expression with one group in parentheses')
  .meta({ title: 'regular expression with one group' });

/** Number of groups in a regular expression; `undefined` if it is invalid. */
const groupsIn = (text: string): number | undefined => {
  try {
    return (new RegExp(`${text}|`, 'iu').exec('')?.length ?? 1) - 1;
  } catch {
    return undefined;
  }
};

/**
 * Text from a record: a column, a fixed text, part of a cell, the first of several that is not blank, or a text that
 * applies under a condition.
 */
export type TextExpression =
  | string
  | { readonly constant: string }
  | {
      readonly partOf: string;
      readonly matches: string;
    }
  | { readonly first: readonly TextExpression[] }
  | {
      readonly text: TextExpression;
      readonly when: Condition;
    };

export const TextExpression: z.ZodType<TextExpression> = z
  .lazy(() =>
    z.union([
      Column,
      z.strictObject({ constant: z.string() }).describe('This text.'),
      z
        .strictObject({ partOf: Column, matches: PartPattern })
        .describe('What the parentheses of a regular expression hold of a cell, else blank.'),
      z.strictObject({ first: z.array(TextExpression).min(1) }).describe('The first that is not blank.'),
      z
        .strictObject({ text: TextExpression, when: Condition })
        .describe('The text where the test holds, else blank.'),
    ]),
  )
  .meta({ id: 'text' });

/** A dollar amount from a record. A blank cell is not an amount, unless `orZero` makes it zero. */
export type AmountExpression =
  | string
  | { readonly constant: string }
  | { readonly orZero: AmountExpression }
  | { readonly sum: readonly AmountExpression[] }
  | { readonly subtract: readonly [AmountExpression, AmountExpression] }
  | { readonly negate: AmountExpression }
  | { readonly first: readonly AmountExpression[] }
  | { readonly firstNonZero: readonly AmountExpression[] }
  | {
      readonly sumRows: AmountExpression;
      readonly where?: readonly Condition[] | undefined;
    }
  | { readonly once: string };

export const AmountExpression: z.ZodType<AmountExpression> = z
  .lazy(() =>
    z.union([
      Column,
      z
        .strictObject({ constant: z.string().regex(/^-?\d+(\.\d{1,4})?$/) })
        .describe('This amount, such as "0.00".'),
      z.strictObject({ orZero: AmountExpression }).describe('Zero where the cell is blank.'),
      z.strictObject({ sum: z.array(AmountExpression).min(1) }).describe('All of them together.'),
      z
        .strictObject({ subtract: z.tuple([AmountExpression, AmountExpression]) })
        .describe('The first less the second.'),
      z.strictObject({ negate: AmountExpression }).describe('With the other sign.'),
      z.strictObject({ first: z.array(AmountExpression).min(1) }).describe('The first that is not blank.'),
      z
        .strictObject({ firstNonZero: z.array(AmountExpression).min(1) })
        .describe('The first that is neither blank nor zero; zero where there is none.'),
      z
        .strictObject({ sumRows: AmountExpression, where: z.array(Condition).min(1).optional() })
        .describe(
          'The sum over all rows of the record, or over those for which all tests of `where` hold; all else reads its first row.',
        ),
      z
        .strictObject({ once: Column })
        .describe(
          'A cell of the whole record that may stand on one of its rows or be repeated on all of them; blanks and zeros aside it has one value.',
        ),
    ]),
  )
  .meta({ id: 'amount' });

/** A test on a cell. */
const CellTest = z.union([
  z
    .strictObject({ column: Column, in: z.array(z.string()).min(1) })
    .describe('The cell is one of these texts, capitals or not.'),
  z
    .strictObject({ column: Column, is: z.enum(['filled', 'blank']) })
    .describe('The cell is `filled`, or `blank`.'),
  z
    .strictObject({ column: Column, matches: Pattern })
    .describe('The cell matches a regular expression, capitals or not.'),
]);

const Sign = z.enum(['positive', 'negative', 'zero', 'not zero']);
export type Sign = z.output<typeof Sign>;

/** A test on cells or on the sign of an amount, or a list of tests that must all pass. It has exactly one form. */
export type Condition =
  | z.output<typeof CellTest>
  | {
      readonly amount: AmountExpression;
      readonly sign: Sign;
    }
  | { readonly all: readonly Condition[] };

export const Condition: z.ZodType<Condition> = z
  .lazy(() =>
    z.union([
      ...CellTest.options,
      z
        .strictObject({ amount: AmountExpression, sign: Sign })
        .describe('The amount is `positive`, `negative`, `zero`, or `not zero`.'),
      z.strictObject({ all: z.array(Condition).min(2) }).describe('All of these hold.'),
    ]),
  )
  .meta({ id: 'test' });

/** The columns of a text expression, for messages. */
export const columnsOfText = (expression: TextExpression): string => {
  if (typeof expression === 'string') return expression;
  if ('constant' in expression) return expression.constant;
  if ('partOf' in expression) return expression.partOf;
  return 'when' in expression
    ? columnsOfText(expression.text)
    : expression.first.map(columnsOfText).join(' or ');
};

/** The columns of an amount expression, for messages. */
export const columnsOf = (expression: AmountExpression): string => namedColumns(expression).join(', ');

/** The columns of an amount, each by its name. */
export const namedColumns = (expression: AmountExpression): readonly string[] => {
  if (typeof expression === 'string') return [expression];
  if ('constant' in expression) return [];
  return 'once' in expression ? [expression.once] : partsOf(expression).flatMap(namedColumns);
};

/** Whether an amount is added up over the rows of its record, rather than stated for the record as a whole. */
export const addsUpRows = (expression: AmountExpression): boolean => {
  if (typeof expression === 'string' || 'constant' in expression || 'once' in expression) return false;
  return 'sumRows' in expression || partsOf(expression).some(addsUpRows);
};

type Composed = Exclude<AmountExpression, string | { readonly constant: string } | { readonly once: string }>;

/** The amounts that an expression is composed of: the first of its keys has them. */
const partsOf = (expression: Composed): readonly AmountExpression[] => [Object.values(expression)[0]].flat();

const Zone = z.string().refine(isTimeZone, `must be ${WANTED_ZONE}`);

const DateForm = z.string().regex(/yy/, 'must have a year');

export const DateRule = z.strictObject({
  columns: z
    .array(TextExpression)
    .min(1)
    .describe('The cells of the date and, in some exports, of the time, joined by a blank.'),
  forms: z
    .array(DateForm)
    .min(1)
    .describe(
      'Tried in order. Letters: `yyyy yy MMMM MMM MM M dd d HH H hh h mm ss a`, `ZZZ` for an offset (`+0000`, `-07:00`, `Z`, `UTC`), `zzz` for the abbreviation of a US zone (`PST`). Everything else stands for itself; `(...)` is an optional part. Without hours the whole day is meant, wherever the seller is.',
    ),
  provenByFile: z
    .boolean()
    .default(false)
    .describe('The forms exclude each other, and the file’s own values must prove which of them it uses.'),
  zone: z
    .union([
      z.enum(['cell-offset', 'cell-abbreviation', 'channel']),
      z.strictObject({
        column: Column.describe('The column that names the zone.'),
        map: z.record(z.string(), Zone).describe('Its words, and the zones they mean.'),
      }),
      z.strictObject({
        channelOr: Zone.describe('The zone where the channel states none.'),
      }),
      Zone.meta({ title: 'time zone' }),
    ])
    .describe(
      'Which clock the cells show. `cell-offset` and `cell-abbreviation` say it themselves; `channel` is the channel’s zone in `tieout.yaml`, or the entity’s; `channelOr` is the channel’s, or this zone where the channel states none; a column may name it in words of its own.',
    ),
});
export type DateRule = z.output<typeof DateRule>;

/** Whether a zone is that of the channel, with one for channels that state none. */
export const isChannelOr = (zone: DateRule['zone']): zone is { readonly channelOr: string } =>
  typeof zone === 'object' && 'channelOr' in zone;

/** Compile an optional expression, if the profile has it. */
export const ifStated = <Expression, Compiled>(
  expression: Expression | undefined,
  compile: (expression: Expression) => Compiled,
): Compiled | undefined => (expression === undefined ? undefined : compile(expression));
