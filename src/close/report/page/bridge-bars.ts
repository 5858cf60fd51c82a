import { add, formatMoney, type Money, sum, ZERO } from '../../../kernel/money.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { REASONS } from '../../reconcile/reason.ts';
import { type Html, html } from './html.ts';
import { linked, reasonRow } from './page-table.ts';

type Bar = {
  readonly label: Html;
  readonly amount: Money;
  /** Where the bar begins; it ends one amount further. */
  readonly from: Money;
  readonly kind: 'over' | 'under' | 'net';
};

/**
 * Draws what each reason adds to the tax collected, or takes from it, as a table with a bar in each row; nothing for a
 * single reason, when it would show no more than its figure. What has the sign of the variance comes first, so that
 * the bars never cross zero.
 */
export const bridgeBars = ({ reasons }: Pick<PeriodReport, 'reasons'>): Html | undefined => {
  const moving = reasons
    .map(({ code, over, under }) => ({ code, amount: add(over, under) }))
    .filter(({ amount }) => amount !== ZERO);
  if (moving.length < 2) return undefined;
  const net = sum(moving.map(({ amount }) => amount));
  const direction = net < ZERO ? -1 : 1;
  moving.sort((left, right) => direction * (right.amount - left.amount));
  const [first, last] = [moving.filter(isSame(direction)), moving.filter(isSame(-direction)).reverse()];
  let reached: Money = ZERO;
  const bars = [...first, ...last].map(({ code, amount }): Bar => {
    const from = reached;
    reached = add(reached, amount);
    const label = html`<a href="#${reasonRow(code)}">${code} ${REASONS[code].name}</a>`;
    return { label, amount, from, kind: amount > ZERO ? 'over' : 'under' };
  });
  const total = linked({ href: '#by-reason', search: '' }, 'Variance');
  const furthest = sum(first.map(({ amount }) => amount));
  const rows = [...bars, { label: total, amount: net, from: ZERO, kind: 'net' as const }];
  return html`<table class="bars">
<caption>Variance by reason, step by step: ${moving.length} steps that come to ${formatMoney(net)}.</caption>
<tbody>
${rows.map((bar) => drawBar(bar, furthest))}
</tbody></table>`;
};

const isSame =
  (direction: number) =>
  ({ amount }: { readonly amount: Money }): boolean =>
    Math.sign(amount) === direction;

/** @param furthest The end of the axis opposite to zero */
const drawBar = ({ label, amount, from, kind }: Bar, furthest: Money): Html => {
  const [low, high] = [Math.min(from, add(from, amount)), Math.max(from, add(from, amount))];
  const left = percent(low - Math.min(ZERO, furthest), furthest);
  const style = `left: ${left}%; width: ${percent(high - low, furthest)}%`;
  return html`<tr class="${kind}"><th scope="row">${label}</th><td class="track"><i style="${style}"></i></td><td class="figure">${formatMoney(amount)}</td></tr>`;
};

/** Returns a share of the axis, to a hundredth of a percent: finer than a screen shows. */
const percent = (length: number, furthest: Money): number =>
  Math.round((10_000 * length) / Math.abs(furthest)) / 100;
