import { add, formatMoney, type Money, subtract, ZERO } from '../../../kernel/money.ts';

/**
 * The effect of changed tax content in a state: the sales whose expected tax has changed, and the totals of that tax.
 */
export type StateChange = {
  readonly state: string;
  readonly sales: number;
  readonly before: Money;
  readonly now: Money;
};

/** The effect of changed tax content, or of another service, on a period since its last close. */
export type ContentChange = {
  readonly before: string;
  readonly now: string;
  readonly states: readonly StateChange[];
};

/** Returns the message for a person; `undefined` when the name of the content is the same and no sale's tax changes. */
export const changeText = (change: ContentChange): string | undefined => {
  const { states } = change;
  const [before, now] = [contentNameOf(change.before), contentNameOf(change.now)];
  const sales = salesOf(change);
  if (sales === 0 && before === now) return undefined;
  const head = before === now ? 'not as at the last close' : `${now}, at the last close ${before}`;
  if (sales === 0) return `${head}; the expected tax of no sale changes`;
  const total = states.reduce((running, state) => add(running, differenceOf(state)), ZERO);
  const parts = states.map((state) => `${state.state} ${formatMoney(differenceOf(state))} (${state.sales})`);
  return `${head}; the expected tax of ${countOf(sales)} changes by ${formatMoney(total)}: ${parts.join(', ')}`;
};

/** Returns the name of a service without the program's version and the digest of the build. */
const contentNameOf = (service: string): string =>
  service.replace(/^embedded in Tieout [^,]*, /, '').replace(/ #\S+$/, '');

const salesOf = ({ states }: ContentChange): number => states.reduce((total, { sales }) => total + sales, 0);

const countOf = (sales: number): string => (sales === 1 ? '1 sale' : `${sales} sales`);

const differenceOf = ({ before, now }: StateChange): Money => subtract(now, before);

/** Returns the same for scripts. */
export const changeFigures = (change: ContentChange): object => ({
  before: change.before,
  now: change.now,
  sales: salesOf(change),
  states: change.states.map((state) => ({
    state: state.state,
    sales: state.sales,
    expected_before: formatMoney(state.before),
    expected: formatMoney(state.now),
  })),
});
