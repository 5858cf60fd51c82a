import { add, formatMoney, type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { type Entry, entryOf } from '../sales/corrections.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { ON_NO_RETURN } from './apply-policy.ts';
import { clusterKeyOf } from './clusters.ts';
import { type DraftException, isDecidedByTax, isGap } from './exceptions.ts';
import { REASONS } from './reason.ts';

/** The exceptions of a sale, with its key. */
export type FoundOfSale = { readonly key: string; readonly drafts: readonly DraftException[] };

type Version = Entry & Pick<FoundOfSale, 'drafts'>;

/**
 * Judges the versions of each corrected record together. A reversal takes back what its filed version had wrong, which
 * asks for nothing, and neither does that version where the period has it, too. What a new version has wrong is asked
 * about as far as the filed version did not have it: the period that filed it has asked about the rest.
 *
 * @param records the keys of all records of which the period has a late version: each is told by it from a correction
 *   of another record
 */
export const correctedFindings = (records: ReadonlySet<string>) => {
  const corrected = new Map<string, Version[]>();
  return {
    /** Returns the exceptions of a sale, unless they are judged with those of its other versions. */
    see: ({ key, drafts }: FoundOfSale): readonly DraftException[] => {
      if (records.size === 0) return drafts;
      const entry = entryOf(nameOfKey(key), records.has(key) ? '' : undefined);
      if (!records.has(entry.of)) return drafts;
      const known = corrected.get(entry.of) ?? [];
      corrected.set(entry.of, known);
      known.push({ ...entry, drafts });
      return [];
    },
    /** Returns the exceptions of these records, after all sales were seen. */
    judged: (): readonly DraftException[] => [...corrected.values()].flatMap(judgedOf),
  };
};

/** A reversal with a number takes back the version with the number before it. */
const judgedOf = (seen: readonly Version[]): readonly DraftException[] => {
  const versions = [...seen].sort(byNumber);
  const isHere = (number: number, isReversal: boolean): boolean =>
    versions.some((each) => each.number === number && each.isReversal === isReversal);
  const isReversed = ({ number, isReversal }: Version): boolean => isReversal || isHere(number + 1, true);
  const ofFiled = versions.filter(({ number, isReversal }) => isReversal && !isHere(number - 1, false));
  const isNew = (version: Version): boolean =>
    !isReversed(version) && ofFiled.some(({ number }) => number <= version.number);
  const filed = filedAmong(judgedIn(versions.filter(isNew)), judgedIn(ofFiled));
  return versions.flatMap((version) =>
    version.drafts.flatMap((draft): readonly DraftException[] => {
      if (!isJudged(draft)) return [draft];
      return isReversed(version)
        ? [reversedFinding(draft, version)]
        : beyond(draft, filed.get(draft) ?? ZERO);
    }),
  );
};

/** Sales are seen in any order. */
const byNumber = (one: Version, other: Version): number =>
  one.number - other.number || Number(one.isReversal) - Number(other.isReversal);

const judgedIn = (versions: readonly Version[]): readonly DraftException[] =>
  versions.flatMap(({ drafts }) => drafts.filter(isJudged));

/**
 * Whether it is a reason with an amount. Those that are decided by the tax of their record are asked about as they are;
 * the edge of a period does not matter for late records.
 */
const isJudged = ({ code, severity, effect }: DraftException): boolean =>
  severity === 'warning' && effect !== ZERO && code in REASONS && !isDecidedByTax(code) && code !== 'R16';

/**
 * Returns how much of each exception the filed version had, too, by the exceptions of its reversal: of the same reason
 * first, and then of any other about which a person was asked alike, where it moves the tax in the same direction.
 */
const filedAmong = (
  found: readonly DraftException[],
  reversed: readonly DraftException[],
): ReadonlyMap<DraftException, Money> => {
  const left = new Map(reversed.map((each) => [each, negate(each.effect)]));
  const filed = new Map<DraftException, Money>();
  for (const isLike of [hasSameReason, isAskedAlike])
    for (const draft of found)
      for (const [other, amount] of left) {
        if (draft.state !== other.state || !isLike(draft, other)) continue;
        const known = filed.get(draft) ?? ZERO;
        const both = common(subtract(draft.effect, known), amount);
        filed.set(draft, add(known, both));
        left.set(other, subtract(amount, both));
      }
  return filed;
};

const hasSameReason = (one: DraftException, other: DraftException): boolean =>
  one.code === other.code && isAskedAlike(one, other);

/**
 * Whether both ask for the same: a missing rate is decided for its place, and what goes on no return is given back to
 * customers, where other tax is remitted.
 */
const isAskedAlike = (one: DraftException, other: DraftException): boolean =>
  isGap(one) || isGap(other)
    ? clusterKeyOf(one) === clusterKeyOf(other)
    : ON_NO_RETURN.has(one.code) === ON_NO_RETURN.has(other.code);

/** Returns what two amounts have in common: nothing where one is above zero and the other below. */
const common = (one: Money, other: Money): Money => {
  if (one > ZERO !== other > ZERO) return ZERO;
  return Math.abs(one) < Math.abs(other) ? one : other;
};

/** Returns what is to be asked about of an exception, and the notice of what was filed of it. */
const beyond = (draft: DraftException, filed: Money): readonly DraftException[] => {
  if (filed === ZERO) return [draft];
  const effect = subtract(draft.effect, filed);
  const before = noticeOf(
    draft,
    'filed-before',
    `${formatMoney(filed)} of this tax was filed before, for this cause or another`,
    filed,
  );
  if (effect === ZERO) return [before];
  const message = `${draft.message}; variance ${formatMoney(draft.effect)}, of which ${formatMoney(filed)} was filed before`;
  return [{ ...draft, effect, message }, before];
};

const reversedFinding = (draft: DraftException, { isReversal }: Version): DraftException => {
  const filed = isReversal ? negate(draft.effect) : draft.effect;
  const was = `${draft.code} of ${formatMoney(filed)}`;
  return noticeOf(draft, 'reversed', `${was} was filed and is reversed`, draft.effect);
};

const noticeOf = (
  { shared: _, tax: __, ...draft }: DraftException,
  code: string,
  text: string,
  effect: Money,
): DraftException => ({ ...draft, severity: 'notice', code, message: `${text}: ${draft.message}`, effect });
