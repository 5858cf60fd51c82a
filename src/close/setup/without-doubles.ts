import type { CalendarDate } from '../../kernel/calendar.ts';
import { shownNumber } from '../../kernel/shown-figures.ts';
import type { SalesProfile } from '../sales/profile.ts';
import { isRefundDatesProfile } from '../sales/shipped-profiles.ts';
import type { Trial } from '../stages/extract/try-exports.ts';
import type { ChannelFacts } from './channel-facts.ts';
import type { FormedChannel } from './form-channels.ts';

/** A channel with what was read from its files. */
export type ReadChannel = {
  readonly formed: FormedChannel;
  readonly facts: ChannelFacts;
  readonly trials: readonly Trial[];
};

/** What a kind of export tells of refunds: their day, only that there were some, or nothing. */
const KNOWLEDGE = ['nothing', 'amounts', 'days'] as const;
type Knowledge = (typeof KNOWLEDGE)[number];

/**
 * If a shop has several kinds of export, keep one, since they hold the same sales. The one that tells most of refunds is
 * kept: an order that is missing leaves a gap that people see, a refund that is missing only more tax to pay. Among
 * equals it is the one with the most orders, then the one with the most refunds.
 *
 * @returns the channels to propose, and for each one that is left out a sentence that says what the books then lack
 */
export const withoutDoubles = (
  read: readonly ReadChannel[],
): { readonly kept: readonly ReadChannel[]; readonly doubles: readonly string[] } => {
  const kept: ReadChannel[] = [];
  const doubles: string[] = [];
  for (const [, group] of Map.groupBy(read, ({ formed }) => formed.name)) {
    const [best, ...others] = group.sort(
      (left, right) =>
        rankOf(right) - rankOf(left) ||
        right.facts.orders - left.facts.orders ||
        right.facts.refunds - left.facts.refunds,
    );
    if (!best) continue;
    kept.push(best);
    for (const other of others) doubles.push(leftOut(other, best));
  }
  return { kept, doubles };
};

/** Whether the exports of a channel say nothing about refunds, so that its months may lack them without a sign. */
export const tellsNoRefunds = (formed: FormedChannel): boolean => knowledgeOf(formed) === 'nothing';

const knowledgeOf = ({ profile, companions }: FormedChannel): Knowledge => {
  const isDated =
    hasDatedRefunds(profile) || companions.some(({ found }) => isRefundDatesProfile(found.profile));
  if (isDated) return 'days';
  return profile.map.refunded === undefined && !profile.rules.some(({ fullyRefunded }) => fullyRefunded)
    ? 'nothing'
    : 'amounts';
};

const hasDatedRefunds = ({ rules, packedRefunds }: SalesProfile): boolean =>
  packedRefunds !== undefined || rules.some(({ treat, as }) => treat === 'refund' || as === 'refund');

const rankOf = (channel: ReadChannel): number =>
  channel.facts.orders + channel.facts.refunds === 0 ? -1 : KNOWLEDGE.indexOf(knowledgeOf(channel.formed));

const leftOut = (other: ReadChannel, best: ReadChannel): string => {
  const files = other.formed.sources.map(({ entry }) => entry).join(', ');
  const { title } = best.formed.profile;
  return `${files}: ${other.formed.profile.title}; left out, because ${title} ${whyKept(other, best)}${lackOf(other, best)}`;
};

const whyKept = ({ formed: other }: ReadChannel, { formed: best }: ReadChannel): string => {
  const [known, less] = [knowledgeOf(best), knowledgeOf(other)];
  if (known === less) return 'is of the same shop, and two kinds of export would count its sales twice';
  const told = known === 'days' ? 'when something was given back' : 'what was given back';
  const not = less === 'nothing' ? 'and this one tells no refunds' : 'and this one does not';
  return `is of the same shop and says ${told}, ${not}`;
};

/** What is in the one channel and not in the other: the books would lack it. */
const lackOf = (other: ReadChannel, best: ReadChannel): string => {
  const [theirs, ours] = [recordsOf(other), recordsOf(best)];
  const orders = [...theirs.orders].filter(([id]) => !ours.orders.has(id));
  const refunded = [...theirs.refunded].filter(([id]) => !ours.refunded.has(id));
  const days = [...orders, ...refunded].map(([, day]) => day).sort();
  const parts = [
    ...(orders.length > 0 ? [shownNumber(orders.length, 'order')] : []),
    ...(refunded.length > 0 ? [`refunds of ${shownNumber(refunded.length, 'order')}`] : []),
  ];
  if (parts.length === 0) return '';
  const span = days[0] === days.at(-1) ? `on ${days[0]}` : `from ${days[0]} to ${days.at(-1)}`;
  return `. It has ${parts.join(' and ')}, ${span}, that the books then lack: export the ${best.formed.profile.title} for these days, too`;
};

/** The orders, and the orders of which something was given back, each with its first day. */
const recordsOf = ({
  trials,
}: ReadChannel): Readonly<Record<'orders' | 'refunded', Map<string, CalendarDate>>> => {
  const found = { orders: new Map<string, CalendarDate>(), refunded: new Map<string, CalendarDate>() };
  for (const { kind, id, reference, businessDate } of trials.flatMap(({ sales }) => sales)) {
    const [records, order] = kind === 'order' ? [found.orders, id] : [found.refunded, reference ?? id];
    const day = records.get(order);
    if (day === undefined || businessDate < day) records.set(order, businessDate);
  }
  return found;
};

/** Report channels that share more than half of their record ids: they may be two exports of the same sales. */
export const sharedRecords = (read: readonly ReadChannel[]): readonly string[] =>
  read.flatMap((one, index) =>
    read.slice(index + 1).flatMap((other) => {
      const shared = [...one.facts.ids].filter((id) => other.facts.ids.has(id)).length;
      const smaller = Math.min(one.facts.ids.size, other.facts.ids.size);
      return shared * 2 > smaller
        ? [
            `the channels ${one.formed.name} and ${other.formed.name} share ${shared} order numbers: if they hold the same sales, remove one of them`,
          ]
        : [];
    }),
  );
