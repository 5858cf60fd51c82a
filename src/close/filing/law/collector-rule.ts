import * as z from 'zod';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import { COLLECTS, type FilingRegistration, isSameName } from '../registration.ts';
import type { JurisdictionLevel } from '../state-figures.ts';
import { isInForce, LAW_FIELDS, refuseUnsourced, StateField } from './law-row.ts';

/** Who collects the taxes of some counties or cities: they themselves, or the state with its own. */
export const CollectorRule = z
  .strictObject({
    state: StateField,
    level: z.enum(['county', 'city']),
    /** As the tax content spells them; `*` is every one of the level. */
    names: z.array(z.string().min(1)).min(1),
    /** What holds unless the registration says otherwise. */
    collects: z.enum(COLLECTS),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type CollectorRule = z.output<typeof CollectorRule>;

/** What a seller says of the returns of one state. */
export type CollectorChoice = Pick<FilingRegistration, 'state' | 'localTax' | 'localReturns'>;

type Body = { readonly state: string; readonly level: JurisdictionLevel; readonly name: string };

/** The name of a county or city that gets a return of its own; nothing of one whose tax is on the return of the state. */
export type OwnPlace = (body: Body) => string | undefined;

/** Who gets a return of its own on a day: as the seller says for the place, for its state, or by law. */
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
    const own = known.choice.localReturns?.find(({ place }) => isSameName(place, name));
    if (own) return own.localTax === 'own' ? own.place : undefined;
    for (const { level: ofRule, names, collects } of known.rules) {
      if (ofRule !== level || (known.choice.localTax ?? collects) !== 'own') continue;
      const named = names.find((each) => isSameName(each, name)) ?? (names.includes('*') ? name : undefined);
      if (named !== undefined) return named;
    }
    return undefined;
  };
};

/** The places that get a return in any case, whether anything was sold there or not. */
export const chosenPlaces = ({ localReturns = [] }: CollectorChoice): readonly string[] =>
  localReturns.filter(({ localTax }) => localTax === 'own').map(({ place }) => place);
