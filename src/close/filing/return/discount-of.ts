import { type Money, money, subtract, ZERO } from '../../../kernel/money.ts';
import { RATE_ONE } from '../../../kernel/rate.ts';
import { roundBigQuotient } from '../../../kernel/rounding.ts';
import type { DiscountRule } from '../law/filing-law.ts';
import type { FilingRegistration } from '../registration.ts';
import { atLeastZero, lesser } from './figures.ts';

/** A timely-filing discount with its working. */
export type Discount = {
  readonly rule: DiscountRule | undefined;
  readonly base: Money;
  /** What the tiers give of the base, before anything limits it. */
  readonly computed: Money;
  /** The most that may be kept; `undefined` where there is no cap. */
  readonly cap: Money | undefined;
  readonly allowed: Money;
  /**
   * What is allowed, rounded as the form rounds it. Zero where the rule was not seen in a source: what is kept without
   * right is owed with penalty.
   */
  readonly claimed: Money;
  readonly why: string;
};

/** What may be kept of a base amount, on the assumption that the return is filed and paid on time. */
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
  const raised = rule.least !== undefined && computed > 0 && computed < rule.least ? rule.least : computed;
  const capped = cap === undefined ? raised : lesser(raised, cap);
  const allowed = lesser(capped, atLeastZero(base));
  const claimed = rule.verified === false ? ZERO : allowed;
  return { rule, base, computed, cap, allowed, claimed, why: whyOf(rule, computed, allowed) };
};

const tiered = ({ tiers, part }: DiscountRule, base: Money): Money => {
  // Kept as one fraction until the end, so that no tier is rounded on its own.
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
