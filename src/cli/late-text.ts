import type { LateLine } from '../close/report/late-line.ts';
import type { LateListing } from '../close/stages/late/list-late.ts';
import { add, formatMoney, type Money, ZERO } from '../kernel/money.ts';

const FIGURES = ['gross', 'taxable', 'collected', 'expected'] as const;
type Totals = { readonly [Figure in (typeof FIGURES)[number]]: Money };

/** What all lines together change, state by state. */
export const effectsByState = (
  lines: readonly LateLine[],
): readonly (Totals & { readonly state: string })[] => {
  const states = new Map<string, Totals>();
  for (const line of lines) {
    const known = states.get(line.state) ?? { gross: ZERO, taxable: ZERO, collected: ZERO, expected: ZERO };
    states.set(line.state, {
      gross: add(known.gross, line.gross),
      taxable: add(known.taxable, line.taxable),
      collected: add(known.collected, line.collected),
      expected: add(known.expected, line.expected),
    });
  }
  return [...states]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([state, totals]) => ({ state, ...totals }));
};

const ID_WIDTH = 17;
const AMOUNT_WIDTH = 10;

/** At most 80 columns: transaction, what, state, four amounts. */
const rowOf = (id: string, what: string, state: string, amounts: readonly string[]): string =>
  [
    id.length > ID_WIDTH ? `${id.slice(0, ID_WIDTH - 1)}…` : id.padEnd(ID_WIDTH),
    what.padEnd(10),
    state.padEnd(2),
    ...amounts.map((amount) => amount.padStart(AMOUNT_WIDTH)),
  ].join(' ');

const HEADER = rowOf('Transaction', 'What', '', ['Gross', 'Taxable', 'Collected', 'Expected']);

const amountsOf = (totals: Totals): readonly string[] => FIGURES.map((figure) => formatMoney(totals[figure]));

const lineText = (line: LateLine): string => rowOf(line.id, line.kind, line.state, amountsOf(line));

/** Late items as a person reads them. */
export const lateText = ({ period, digest, open, decided }: LateListing): string => {
  const lines = [`${period} is locked, digest ${digest.slice(0, 12)}.`];
  if (open.length === 0) lines.push('Nothing that came late is open.');
  else {
    lines.push('', 'Open: carry with --carry, or amend with --amend', HEADER, ...open.map(lineText));
    lines.push(...effectsByState(open).map((state) => rowOf('All in', '', state.state, amountsOf(state))));
  }
  for (const choice of ['carried', 'amended'] as const) {
    const own = decided.filter((line) => line.choice === choice);
    if (own.length === 0) continue;
    lines.push('', `Decided: ${choice}`, HEADER, ...own.map(lineText));
    lines.push(...effectsByState(own).map((state) => rowOf('All in', '', state.state, amountsOf(state))));
  }
  return `${lines.join('\n')}\n`;
};

const lineObject = ({ gross, taxable, collected, expected, ...line }: LateLine): object => ({
  ...line,
  gross: formatMoney(gross),
  taxable: formatMoney(taxable),
  collected: formatMoney(collected),
  expected: formatMoney(expected),
});

/** The same for scripts. Amounts are decimal text. */
export const lateObject = ({ period, digest, open, decided }: LateListing): object => ({
  period,
  digest,
  open: open.map(lineObject),
  decided: decided.map(lineObject),
  effects: effectsByState(open).map(({ state, ...totals }) => ({
    state,
    ...Object.fromEntries(FIGURES.map((figure) => [figure, formatMoney(totals[figure])])),
  })),
});
