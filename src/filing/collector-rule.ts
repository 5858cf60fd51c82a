import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { isInForce, lawRow, StateField } from './law-row.ts';
import { COLLECTS, countyName, type FilingRegistration, isSameName } from './registration.ts';
import type { JurisdictionLevel } from './state-figures.ts';

/** A rule on who collects the taxes of some counties or cities: they themselves, or the state together with its own. */
export const CollectorRule = lawRow({
  state: StateField,
  level: z.enum(['county', 'city']),
  /** Names as the tax content spells them; `*` means all of the level. */
  names: z.array(z.string().min(1)).min(1),
  /** The default, unless the registration says otherwise. */
  collects: z.enum(COLLECTS),
});
export type CollectorRule = z.output<typeof CollectorRule>;

/** The seller's choices about the returns of one state. */
export type CollectorChoice = Pick<FilingRegistration, 'state' | 'localTax' | 'localReturns'>;

type Body = {
  readonly state: string;
  readonly level: JurisdictionLevel;
  readonly name: string;
};

/** Returns the name of a county or city with a return of its own; `undefined` if its tax is on the state's return. */
export type OwnPlace = (body: Body) => string | undefined;

/**
 * Decides which places have their own return on a day: by the seller's choice for the place, for its state, or by law. Where
 * counties and cities of a state may collect, a county is `MOBILE COUNTY`, so that no city of its name is on its return.
 */
export const ownPlaces = (
  rules: readonly CollectorRule[],
  choices: readonly CollectorChoice[],
  on: CalendarDate,
): OwnPlace => {
  const byState = new Map(
    choices.map((choice) => [
      choice.state,
      { choice, rules: rules.filter((rule) => rule.state === choice.state && isInForce(rule, on)) },
    ]),
  );
  return ({ state, level, name }) => {
    const known = byState.get(state);
    if (known === undefined || (level !== 'county' && level !== 'city')) return undefined;
    const named = (wanted: string) =>
      known.choice.localReturns?.find(({ place }) => isSameName(place, wanted));
    const own = (level === 'county' ? named(countyName(name)) : undefined) ?? named(name);
    if (own && levelsNamed(known.rules, name, level).has(level))
      return own.localTax === 'own' ? own.place : undefined;
    for (const { level: ofRule, names, collects } of known.rules) {
      if (ofRule !== level || (known.choice.localTax ?? collects) !== 'own') continue;
      const found = names.find((each) => isSameName(each, name)) ?? (names.includes('*') ? name : undefined);
      if (found === undefined) continue;
      return level === 'county' && levelsNamed(known.rules, name, level).size > 1 ? countyName(found) : found;
    }
    return undefined;
  };
};

/**
 * Returns the levels at which the law knows a place of a name as one that may collect: the seller's choice for a city is
 * none for the county of its name. Where the law knows none, the choice holds for the level that is asked about.
 */
const levelsNamed = (
  rules: readonly CollectorRule[],
  name: string,
  asked: JurisdictionLevel,
): ReadonlySet<JurisdictionLevel> => {
  const named = rules.filter(
    ({ names }) => names.includes('*') || names.some((each) => isSameName(each, name)),
  );
  return new Set(named.length === 0 ? [asked] : named.map(({ level }) => level));
};

/** Returns the places for which the seller chose a return of their own, whether or not it sold anything there. */
export const chosenPlaces = ({ localReturns = [] }: CollectorChoice): readonly string[] =>
  localReturns.filter(({ localTax }) => localTax === 'own').map(({ place }) => place);
