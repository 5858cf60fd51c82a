import { centsOf } from './amounts.ts';

type ClothingRule =
  | { readonly rule: 'taxable' }
  | { readonly rule: 'exempt' }
  /** Exempt while one unit costs less; the counties named follow the state, all others tax it. */
  | { readonly rule: 'exempt-below'; readonly cents: number; readonly countiesThatFollow: readonly string[] }
  /** Only the part of one unit's price above the amount is taxed. */
  | { readonly rule: 'excess-over'; readonly cents: number };

export type StateRules = {
  readonly name: string;
  readonly registered: boolean;
  /** Whether shipping that is stated apart is taxed: never, with any taxed goods, or in their share of the price. */
  readonly freight: 'never' | 'follows-goods' | 'shared';
  readonly clothing: ClothingRule;
  /** `unclear` places get no food in this month, because their local grocery taxes are not dependably known. */
  readonly food: 'exempt' | 'local-only' | 'unclear';
};

const TAXABLE = { rule: 'taxable' } as const;
const EXEMPT = { rule: 'exempt' } as const;

const registered = (
  name: string,
  freight: StateRules['freight'],
  clothing: ClothingRule = TAXABLE,
  food: StateRules['food'] = 'exempt',
): StateRules => ({ name, registered: true, freight, clothing, food });

/** Nothing is collected here, so the rules matter only to what the shop charges by mistake. */
const unregistered = (name: string, freight: StateRules['freight']): StateRules => ({
  name,
  registered: false,
  freight,
  clothing: TAXABLE,
  food: 'exempt',
});

/** The states the merchant sells to, with the rules of October 2026 that its goods meet. */
export const STATE_RULES: Readonly<Record<string, StateRules>> = {
  /** Regulation 1628: carriage by common carrier, stated apart. */
  CA: registered('California', 'never'),
  /** Tax Law 1115(a)(30) for the state, Publication 718-C for the counties; Bulletin ST-838 for shipping. */
  NY: registered('New York', 'follows-goods', {
    rule: 'exempt-below',
    cents: centsOf('110.00'),
    countiesThatFollow: ['New York County', 'Kings County'],
  }),
  TX: registered('Texas', 'follows-goods'),
  /** 61 Pa. Code 32.6(b) for shipping. */
  PA: registered('Pennsylvania', 'follows-goods', EXEMPT),
  /** 830 CMR 64H.6.5 for shipping. */
  MA: registered('Massachusetts', 'never', { rule: 'excess-over', cents: centsOf('175.00') }),
  FL: registered('Florida', 'never'),
  /** RCW 82.08.145 for shipping. */
  WA: registered('Washington', 'shared'),
  /** The state exempts food, counties tax it; Regulation 560-12-2-.45 for shipping. */
  GA: registered('Georgia', 'shared', TAXABLE, 'local-only'),
  /** N.J.A.C. 18:24-27.2 for shipping. */
  NJ: registered('New Jersey', 'shared', EXEMPT),
  IL: registered('Illinois', 'never', TAXABLE, 'unclear'),
  CO: registered('Colorado', 'never', TAXABLE, 'unclear'),
  OR: unregistered('Oregon', 'never'),
  NC: unregistered('North Carolina', 'follows-goods'),
  VA: unregistered('Virginia', 'never'),
  AZ: unregistered('Arizona', 'never'),
  OH: unregistered('Ohio', 'shared'),
  NV: unregistered('Nevada', 'never'),
  MI: unregistered('Michigan', 'never'),
};

export const rulesOf = (state: string): StateRules => {
  const rules = STATE_RULES[state];
  if (rules === undefined) throw new RangeError(`the merchant does not sell to ${state}`);
  return rules;
};
