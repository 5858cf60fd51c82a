import { add, formatMoney, type Money, negate, subtract, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import type { FiguredSale } from '../../period-sales/detailed-sales.ts';
import { expectationsIn } from '../../period-sales/expectation-of.ts';
import { postedSalesOf } from '../../period-sales/sales-of.ts';
import type { SettledSale } from '../../period-sales/with-settled-exemption.ts';
import { serviceOfClosing } from '../../periods/closing.ts';
import { readPage } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';

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

/** Returns the service of the period's last close, if it differs from the present one. */
export const calculatedBefore = async (
  { workspace, serviceId }: ClosePorts,
  period: FilingPeriod,
): Promise<string | undefined> => {
  const before = await serviceOfClosing(workspace, period.label);
  return before === serviceId ? undefined : before;
};

/**
 * Compare the new calculations with the figures of the last close, before these are replaced. A sale that was not
 * calculated then, or is not now, does not count as a change.
 */
export const contentChange = async (
  ports: ClosePorts,
  period: FilingPeriod,
  before: string,
): Promise<StageResult<ContentChange>> => {
  const states = new Map<string, StateChange>();
  for await (const { slot, sales } of postedSalesOf(ports.workspace, period)) {
    const page = await readPage<FiguredSale>(ports.workspace, 'reconciled', slot);
    const figures = new Map(page?.rows.map((row) => [row.key, row.figures]));
    const expectations = await expectationsIn(ports.workspace, slot);
    for (const stored of sales) {
      const { key, shipTo } = stored.sale;
      const expectation = expectations.get(key);
      const old = figures.get(key)?.expected ?? null;
      if (!expectation || expectation.basis === 'refused' || old === null) continue;
      const now = signed(stored, expectation.result.amount_to_collect);
      if (now === old) continue;
      const sum = states.get(shipTo.state) ?? { state: shipTo.state, sales: 0, before: ZERO, now: ZERO };
      states.set(shipTo.state, {
        ...sum,
        sales: sum.sales + 1,
        before: add(sum.before, old),
        now: add(sum.now, now),
      });
    }
  }
  const change = {
    before,
    now: ports.serviceId,
    states: [...states.values()].sort((left, right) => (left.state < right.state ? -1 : 1)),
  };
  return { value: change, summary: `${countOf(salesOf(change))} with another tax than at the last close` };
};

const signed = ({ sale }: SettledSale, tax: Money): Money => (sale.kind === 'refund' ? negate(tax) : tax);

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
