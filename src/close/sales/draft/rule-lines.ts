import { firstOf, type Guess, quoted } from './map-lines.ts';

/** Kinds of records that are listed; more of them are not kinds. */
const KINDS_MAX = 20;

/** Cells of the rows, one for each row. */
type Cells = {
  readonly types: readonly string[];
  readonly statuses: readonly string[];
  readonly amounts: readonly string[];
};

/** The lines of a draft that tell sales from refunds and from what is neither: a question for each kind of row. */
export const ruleLines = (guess: Guess, columns: readonly string[], cells: Cells): readonly string[] => {
  const kinds = kindsOf(guess, cells);
  if (kinds.length === 0 || kinds.length > KINDS_MAX) {
    return [
      '# DECIDE: no column says whether an order was paid, cancelled or a test; every row counts as a sale.',
      'rules:',
      `  - { when: [{ column: ${quoted(guess.id ?? firstOf(columns))}, is: filled }], treat: order }`,
    ];
  }
  return [
    '# DECIDE: which of these is a sale (order), which gives one back (refund), which is neither (ignore)? Until then each',
    '# of them needs a review.',
    'rules:',
    ...kinds.map(
      ({ tests, isRefund }) =>
        `  - { when: [${tests.join(', ')}], treat: review, ${isRefund ? 'as: refund, ' : ''}reason: undecided, message: "the profile does not say yet what this is" }`,
    ),
  ];
};

type Kind = { readonly tests: readonly string[]; readonly isRefund: boolean };

/** Rows of one type and status; those are refunds all of whose amounts are below nothing. */
const kindsOf = (guess: Guess, { types, statuses, amounts }: Cells): readonly Kind[] => {
  const columns = [
    { column: guess.type, values: types },
    { column: guess.status, values: statuses },
  ].filter(({ values }) => values.some((value) => value !== '') && new Set(values).size <= KINDS_MAX);
  const amountsOf = new Map<string, string[]>();
  for (const [index, amount] of amounts.entries()) {
    const tests = columns.map(({ column, values }) =>
      values[index] ? `{ column: ${quoted(column ?? '')}, in: [${quoted(values[index])}] }` : '',
    );
    if (tests.length === 0 || tests.includes('')) continue;
    const key = tests.join('\n');
    amountsOf.set(key, [...(amountsOf.get(key) ?? []), amount]);
  }
  return [...amountsOf].sort(byText).map(([key, of]) => ({
    tests: key.split('\n'),
    isRefund: of.some(isNegative) && of.every((amount) => amount === '' || isNegative(amount)),
  }));
};

const byText = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;

const isNegative = (amount: string): boolean => /^\W*[-(\u2212]|-$/.test(amount);
