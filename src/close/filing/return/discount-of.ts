import { roundBigQuotient } from '../../../kernel/decimal.ts';
import { atLeastZero, lesser, type Money, money, RATE_ONE, subtract, ZERO } from '../../../kernel/money.ts';
import { shownMoney } from '../../../kernel/text.ts';
import type { DiscountRule } from '../law/filing-law.ts';
import type { FilingRegistration } from '../registration.ts';

/** A timely-filing discount with the steps of its computation. */
export type Discount = {
  readonly rule: DiscountRule | undefined;
  readonly base: Money;
  /** The discount by the tiers, before any limit. */
  readonly computed: Money;
  /** The maximum discount; `undefined` if there is no cap. */
  readonly cap: Money | undefined;
  readonly allowed: Money;
  /**
   * The allowed discount, rounded as the form rounds it. Zero if the rule was not verified against a source: a discount
   * taken without right is owed with a penalty.
   */
  readonly claimed: Money;
  readonly why: string;
};

/** Computes the discount on a base amount, assuming that the return is filed and paid on time. */
export const discountOf = (
  rule: DiscountRule | undefined,
  base: Money,
  taxable: Money,
  registration: FilingRegistration,
): Discount => {
  const nothing = { rule, base, computed: ZERO, cap: undefined, allowed: ZERO, claimed: ZERO };
  if (!rule) return { ...nothing, why: 'The state gives none for this return.' };
  const computed = tiered(rule, atLeastZero(base));
  if (rule.taxableMax !== undefined && taxable > rule.taxableMax) {
    return { ...nothing, computed, why: 'The taxable amount is above the limit for any discount.' };
  }
  const cap = capOf(rule, registration);
  const raised = rule.least !== undefined && computed < rule.least ? rule.least : computed;
  const capped = cap === undefined ? raised : lesser(raised, cap);
  const allowed = lesser(capped, countedOf(rule, atLeastZero(base)));
  const claimed = rule.verified === false ? ZERO : allowed;
  const why = `${whyOf(rule, computed, allowed)}${unknownText(rule, claimed, registration)}`;
  return { rule, base, computed, cap, allowed, claimed, why };
};

/** Returns the part of the base that counts; no discount is more. */
const countedOf = ({ part }: DiscountRule, base: Money): Money =>
  money(Number(roundBigQuotient(BigInt(base) * BigInt(part.of), BigInt(part.in))));

const tiered = ({ tiers, part }: DiscountRule, base: Money): Money => {
  // One fraction until the end, so that single tiers are not rounded.
  const whole = BigInt(part.in);
  let weighted = 0n;
  let below = 0n;
  const counted = BigInt(base) * BigInt(part.of);
  for (const { upTo, rate } of tiers) {
    const limit = upTo === undefined ? counted : BigInt(upTo) * whole;
    const end = limit < counted ? limit : counted;
    if (end > below) weighted += (end - below) * BigInt(rate);
    below = end > below ? end : below;
  }
  return money(Number(roundBigQuotient(weighted, whole * BigInt(RATE_ONE))));
};

const capOf = ({ cap }: DiscountRule, registration: FilingRegistration): Money | undefined => {
  const perReturn = cap?.perReturn[registration.frequency];
  if (cap?.perYear === undefined) return perReturn;
  const left = atLeastZero(subtract(cap.perYear, registration.discountsThisYear ?? ZERO));
  return perReturn === undefined ? left : lesser(perReturn, left);
};

const whyOf = (rule: DiscountRule, computed: Money, allowed: Money): string => {
  if (rule.verified === false) return 'Not claimed: the rule is not verified.';
  const conditions = rule.conditions.join(', ');
  const limit = allowed < computed ? 'limited by its cap; ' : '';
  return `Claimed; ${limit}on condition: ${conditions}.`;
};

/** Names the earlier returns of the year of which it is not known what they claimed of a cap by the year. */
const unknownText = (
  { cap }: DiscountRule,
  claimed: Money,
  { discountsNotKnown = [] }: FilingRegistration,
): string =>
  cap?.perYear === undefined || claimed <= ZERO || discountsNotKnown.length === 0
    ? ''
    : ` The cap of ${shownMoney(cap.perYear)} is for the year: what was claimed for ${discountsNotKnown.join(', ')} is not known here and not taken off, so take it off yourself.`;
