import { compareText } from '../../kernel/compare-text.ts';
import type { Origin } from '../../kernel/finding.ts';
import { add, formatMoney, type Money, ZERO } from '../../kernel/money.ts';
import { clusterKeyOf } from './clusters.ts';
import { type DraftException, isGap } from './exceptions.ts';

/** Maximum number of exceptions of one cause that are listed individually. */
const LISTED_MAX = 250;

type Cause = { listed: DraftException[]; more: number; effect: Money };

/**
 * Collect the exceptions of a period in bounded memory. Open and decided exceptions are all listed individually; of the
 * others, those with the largest effects in each cause, plus one that stands for the rest.
 */
export const exceptionList = (isDecided: (draft: DraftException) => boolean, listedMax = LISTED_MAX) => {
  const held: DraftException[] = [];
  const causes = new Map<string, Cause>();
  return {
    add: (draft: DraftException): void => {
      if (draft.severity === 'error' || isGap(draft) || isDecided(draft)) {
        held.push(draft);
        return;
      }
      const key = causeOf(draft);
      const cause = causes.get(key) ?? { listed: [], more: 0, effect: ZERO };
      causes.set(key, cause);
      cause.listed.push(draft);
      if (cause.listed.length >= 2 * listedMax) shorten(cause, listedMax);
    },
    drafts: (): readonly DraftException[] => {
      for (const cause of causes.values()) shorten(cause, listedMax);
      return [...held, ...[...causes.values()].flatMap((cause) => [...cause.listed, ...othersOf(cause)])];
    },
  };
};

/** Key of the causes whose exceptions are listed together. */
export const causeOf = (draft: Pick<DraftException, 'code' | 'severity' | 'state' | 'shared'>): string =>
  `${draft.severity} ${clusterKeyOf(draft)}`;

/** Keeps the exceptions with the largest effects; among equals, those that stand first in the exports. */
const shorten = (cause: Cause, listedMax: number): void => {
  if (cause.listed.length <= listedMax) return;
  cause.listed.sort(
    (one, other) =>
      Math.abs(other.effect) - Math.abs(one.effect) ||
      byOrigin(one.origin, other.origin) ||
      compareText(one.message, other.message),
  );
  for (const { effect } of cause.listed.splice(listedMax)) {
    cause.more += 1;
    cause.effect = add(cause.effect, effect);
  }
};

const byOrigin = (one: Origin, other: Origin): number =>
  compareText(one.file, other.file) || one.line - other.line || compareText(one.record, other.record);

const othersOf = ({ listed: [first], more, effect }: Cause): readonly DraftException[] => {
  if (first === undefined || more === 0) return [];
  const { severity, code, state, shared } = first;
  const message = `${more} more of this cause with smaller effects, ${formatMoney(effect)} in all: \`tieout show\` finds each record by its name`;
  return [
    {
      ...{ severity, code, state, message, effect, standsFor: more },
      ...{ origin: { file: '', line: 0, record: '' }, ...(shared && { shared }) },
    },
  ];
};
