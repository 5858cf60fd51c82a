/**
 * The time zones of the United States. A state in two zones has the zone of most of its people, the other one, and the
 * three-digit ZIP prefixes that lie wholly or partly in that. Sources: 49 CFR part 71 (boundaries by county), 15 U.S.C.
 * 260a for Arizona without its Navajo Nation, and the counties of each ZIP code (US Census ZCTA 2020); read 2026-11-29.
 */
const WHOLE: readonly (readonly [zone: string, states: string])[] = [
  ['America/New_York', 'CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'],
  ['America/Chicago', 'AL AR IA IL LA MN MO MS OK WI'],
  ['America/Denver', 'CO MT NM UT WY'],
  ['America/Los_Angeles', 'CA WA'],
  ['America/Anchorage', 'AK'],
  ['Pacific/Honolulu', 'HI'],
  ['America/Puerto_Rico', 'PR VI'],
  ['Pacific/Guam', 'GU MP'],
  ['Pacific/Pago_Pago', 'AS'],
];

const SPLIT: readonly (readonly [
  state: string,
  zone: string,
  other: string,
  wholly: string,
  partly: string,
])[] = [
  ['AZ', 'America/Phoenix', 'America/Denver', '', '860 865'],
  ['FL', 'America/New_York', 'America/Chicago', '324 325', ''],
  ['ID', 'America/Denver', 'America/Los_Angeles', '838', '835'],
  ['IN', 'America/New_York', 'America/Chicago', '463 464 476 477', '465 475 479'],
  ['KS', 'America/Chicago', 'America/Denver', '', '677 678'],
  ['KY', 'America/New_York', 'America/Chicago', '420 421 422 423 424', '401 425 426 427'],
  ['MI', 'America/New_York', 'America/Chicago', '', '498 499'],
  ['ND', 'America/Chicago', 'America/Denver', '', '585 586'],
  ['NE', 'America/Chicago', 'America/Denver', '', '690 691 693'],
  ['NV', 'America/Los_Angeles', 'America/Denver', '', '898'],
  ['OR', 'America/Los_Angeles', 'America/Denver', '', '979'],
  ['SD', 'America/Chicago', 'America/Denver', '577', '575 576'],
  ['TN', 'America/Chicago', 'America/New_York', '374 376 378 379', '373 377'],
  ['TX', 'America/Chicago', 'America/Denver', '799 885', '798'],
];

/** A time zone, and whether there is no other one where the ZIP code is. */
export type ZoneOfZip = { readonly zone: string; readonly isSure: boolean };

/** The time zone of a ZIP code that lies in one of these states; that of most of its people where it may be another. */
export const timeZoneOfZip = (zip: string, states: readonly string[]): ZoneOfZip => {
  const found = states.map((state) => zoneIn(state, zip.slice(0, 3)));
  const [first = { zone: 'America/New_York', isSure: false }] = found;
  return { zone: first.zone, isSure: found.every(({ zone, isSure }) => isSure && zone === first.zone) };
};

const zoneIn = (state: string, prefix: string): ZoneOfZip => {
  const [whole] = WHOLE.find(([, states]) => states.split(' ').includes(state)) ?? [];
  if (whole !== undefined) return { zone: whole, isSure: true };
  const split = SPLIT.find(([code]) => code === state);
  // Military mail and the freely associated states: the seller may be anywhere.
  if (!split) return { zone: 'America/New_York', isSure: false };
  const [, zone, other, wholly, partly] = split;
  if (wholly.split(' ').includes(prefix)) return { zone: other, isSure: true };
  return { zone, isSure: !partly.split(' ').includes(prefix) };
};
