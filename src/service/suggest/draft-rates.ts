import type { TaxedAddress } from '../../contract/content-coverage.ts';
import type { ChargedTax, RateEvidence } from '../../contract/rate-evidence.ts';
import { addDays, type CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import { formatPercent, type Rate, rate } from '../../kernel/rate.ts';
import { findPlace, type TaxPlace } from '../content/place-lookup.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { normaliseAddress } from '../engine/address.ts';
import { sourceOf } from '../engine/us-tax.ts';
import { areaOf, type RateArea } from './rate-area.ts';
import type { DraftedRates, Evidence, SuggestedRate, UnresolvedTax } from './suggested-rate.ts';

/** One tax of one sale, with its jurisdiction, or the reason why there is none. */
type Found = {
  readonly evidence: RateEvidence;
  readonly tax: ChargedTax;
  readonly rate: Rate | null;
  readonly area: RateArea | undefined;
  readonly why: string;
};

/** How many of four sales must agree when a jurisdiction was charged at several rates at the same time. */
const AGREE_OF_FOUR = 3;

/** How many sales must have each of two rates for a change of the rate to be accepted. */
const CHANGE_SALES_MIN = 3;

/**
 * Draft rows of local rates from what a shop charged. A rate begins with the period, or with the first sale if that is
 * earlier. A row does not repeat rates of the content or of other rows. Every tax of the evidence is in one row, or
 * listed with the reason.
 */
export const draftRates = (
  content: TaxContent,
  evidence: readonly RateEvidence[],
  { from, since }: { readonly from: TaxedAddress; readonly since: CalendarDate },
): DraftedRates => {
  const found = evidence.flatMap((each) => foundIn(content, each, from));
  const named = found.filter(({ evidence: { by } }) => by === 'lines');
  const byLines = rowsOf(named, since, 'lines');
  const shared = found
    .filter(({ evidence: { by } }) => by === 'other lines')
    .map((each) => atRowOf(each, byLines.rates));
  const lines = rowsOf([...named, ...shared], since, 'lines');
  const combined = found
    .filter(({ evidence: { by } }) => by === 'agreement' || by === 'agreement in the state')
    .map((each) => withoutRows(each, lines.rates));
  const agreed = rowsOf(combined, since, 'agreement');
  return {
    rates: [...lines.rates, ...agreed.rates].sort(byPlace),
    unresolved: [...lines.unresolved, ...agreed.unresolved].sort(byPlace),
  };
};

const foundIn = (content: TaxContent, evidence: RateEvidence, from: TaxedAddress): readonly Found[] => {
  const place = ratePlaceOf(content, evidence, from);
  return evidence.taxes.map((tax) => {
    const isCombined = evidence.by === 'agreement';
    const area = place && areaOf({ content, place, day: evidence.day }, tax, isCombined);
    const found = { evidence, tax, rate: tax.rate, area: undefined };
    if (!area) return { ...found, why: 'the content has no such state' };
    if ('why' in area) return { ...found, why: area.why };
    if (evidence.by === 'agreement in the state')
      return { ...found, why: 'many places of the state share the rate, and none of them is named' };
    if (tax.rate === null) return { ...found, why: 'the shop states an amount and no rate' };
    return { ...found, area, why: '' };
  });
};

/** Assign a sale without tax lines to the row that lines of other sales gave its place. */
const atRowOf = (found: Found, rows: readonly SuggestedRate[]): Found => {
  const { area, tax } = found;
  if (!area) return found;
  const here = rows.filter(
    (row) => row.state === area.state && row.level === tax.level && holdsIn(row, area),
  );
  const row = here.find(({ rate: each }) => each === tax.rate) ?? here[0];
  if (!row) return { ...found, area: undefined, why: 'no line of another sale gave a row for its place' };
  return { ...found, area: row, rate: row.rate };
};

const holdsIn = (row: RateArea, area: RateArea): boolean =>
  row.counties.some((county) => area.counties.includes(county)) &&
  (row.scope === 'county' ||
    area.scope === 'county' ||
    row.places.some((place) => area.places.includes(place)));

/** Subtract from one rate for all missing taxes what other rows already contribute at the place. */
const withoutRows = (found: Found, rows: readonly SuggestedRate[]): Found => {
  const { area, rate: total } = found;
  if (!area || total === null) return found;
  const brought = rows.filter((row) => row.state === area.state && holdsIn(row, area));
  const left = rate(brought.reduce((rest, row) => rest - row.rate, total as number));
  if (left > 0) return { ...found, rate: left };
  return { ...found, area: undefined, why: 'the rows suggested for its place come to as much' };
};

const rowsOf = (found: readonly Found[], since: CalendarDate, by: SuggestedRate['by']): DraftedRates => {
  const resolved = found.filter(({ area }) => area !== undefined);
  const rates: SuggestedRate[] = [];
  const left = found.filter(({ area }) => area === undefined);
  for (const group of Map.groupBy(resolved, jurisdictionOf).values()) {
    const { kept, dropped } = ratesIn(group);
    left.push(...dropped);
    kept.forEach((members, index) => {
      const next = kept[index + 1];
      const evidence = evidenceOf(members);
      const [first] = members as readonly [Found];
      const area = first.area as RateArea;
      rates.push({
        ...area,
        places: unique(members.flatMap((each) => each.area?.places ?? [])),
        counties: unique(members.flatMap((each) => each.area?.counties ?? [])),
        rate: first.rate as Rate,
        from: index === 0 && since < evidence.first ? since : evidence.first,
        to: next === undefined ? '' : addDays(evidenceOf(next).first, -1),
        by,
        evidence,
      });
    });
  }
  return { rates, unresolved: unresolvedOf(left) };
};

const jurisdictionOf = ({ area }: Found): string =>
  JSON.stringify([area?.state, area?.level, area?.code, area?.name]);

/**
 * Return the rates of a jurisdiction: successive ones, if the days of the sales show a change; otherwise the one on at
 * least three sales in four.
 */
const ratesIn = (
  group: readonly Found[],
): { readonly kept: readonly (readonly Found[])[]; readonly dropped: readonly Found[] } => {
  const rates = [...Map.groupBy(group, ({ rate: each }) => each).values()].sort((left, right) =>
    evidenceOf(left).first < evidenceOf(right).first ? -1 : 1,
  );
  const isChange =
    rates.every((members, index) => {
      const next = rates[index + 1];
      return next === undefined || evidenceOf(members).last < evidenceOf(next).first;
    }) &&
    (rates.length === 1 || rates.every(({ length }) => length >= CHANGE_SALES_MIN));
  if (isChange) return { kept: rates, dropped: [] };
  const most = rates.find(({ length }) => 4 * length >= AGREE_OF_FOUR * group.length);
  const said = rates
    .map(({ 0: one, length }) => `${one?.rate == null ? 'none' : formatPercent(one.rate)} on ${length}`)
    .join(', ');
  const dropped = group
    .filter((each) => !most?.includes(each))
    .map((each) => ({ ...each, area: undefined, why: `the shop charged several rates at a time: ${said}` }));
  return { kept: most ? [most] : [], dropped };
};

const unresolvedOf = (found: readonly Found[]): readonly UnresolvedTax[] =>
  [
    ...Map.groupBy(found, ({ evidence, tax, rate: each, why }) =>
      JSON.stringify([evidence.to.state, tax.name, tax.level, each, why]),
    ).values(),
  ].map((members: readonly Found[]) => {
    const [{ evidence, tax, rate: each, why }] = members as readonly [Found];
    const name = tax.name === '' ? (tax.level ?? 'local taxes together') : tax.name;
    return { state: evidence.to.state, name, rate: each, why, evidence: evidenceOf(members) };
  });

const evidenceOf = (members: readonly Found[]): Evidence => {
  const days = members.map(({ evidence }) => evidence.day).sort();
  const [first] = members as readonly [Found];
  return {
    sales: new Set(members.map(({ evidence }) => evidence)).size,
    places: unique(members.map(({ evidence: { to } }) => to.city.trim() || to.zip)),
    amount: members.reduce((total: Money, { tax }) => add(total, tax.amount), ZERO),
    first: days[0] as CalendarDate,
    last: days.at(-1) as CalendarDate,
    example: first.evidence.record,
  };
};

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

type Placed = Pick<SuggestedRate, 'state' | 'evidence' | 'name'>;

const byPlace = (left: Placed, right: Placed): number => (sortText(left) < sortText(right) ? -1 : 1);

const sortText = ({ state, evidence, name }: Placed): string =>
  JSON.stringify([state, evidence.places[0], name]);

/** Return the place whose rates determine the tax of a sale; `undefined` if the content does not have its state. */
export const ratePlaceOf = (
  content: TaxContent,
  { to, day }: RateEvidence,
  from: TaxedAddress,
): TaxPlace | undefined => {
  const destination = normaliseAddress(to);
  const state = content.states.get(destination.state);
  if (destination.country !== 'US' || !state) return undefined;
  const { situs } = sourceOf(state, destination, normaliseAddress(from), day);
  return findPlace(content, { state, zip: situs.zip, city: situs.city, street: situs.street }, day);
};
