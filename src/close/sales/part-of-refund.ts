import { type Before, hasLeft, hasSamePieces, nothingBefore, withRefund } from './refunded-part.ts';
import { holding, isHolding, type Place, type Sale, type SaleFinding } from './sale.ts';

/**
 * Returns the refunds of an order in several parts, such as one that ships twice, each as a refund of the part that it
 * gives back. Exports name the order only, so days, goods, prices and amounts have to tell. What they leave open is asked
 * if the tax of the parts can differ: then the refund is held.
 *
 * @param parts the parts of the order, in the order in which they were sold
 * @param refunds its refunds, in the order in which they were paid
 * @param isOpen whether a refund names the order only; the others name their part already, and are not returned
 */
export const partsOfRefunds = (
  parts: readonly Sale[],
  refunds: readonly Sale[],
  isOpen: (refund: Sale) => boolean,
): readonly Sale[] => {
  const before = new Map<string, Before>();
  const givenBackOf = (part: Sale): Before => before.get(part.id) ?? nothingBefore(part);
  return refunds.flatMap((refund): Sale[] => {
    const candidates = isOpen(refund)
      ? candidatesFor(refund, parts, givenBackOf)
      : parts.filter(({ id }) => id === refund.reference);
    const [part, ...others] = candidates;
    if (!part) return [];
    const given = withRefund(givenBackOf(part), refund, part);
    if (given) before.set(part.id, given);
    if (!isOpen(refund)) return [];
    const linked: Sale = { ...refund, reference: part.id };
    if (others.every((other) => isTaxedAlike(part, other))) return [linked];
    const { findings } = refund;
    const doubt = doubtOf(candidates);
    return [
      {
        ...linked,
        outcome: 'review',
        findings: [
          ...findings.filter(isHolding),
          ...holding([doubt]),
          ...findings.filter((each) => !isHolding(each)),
        ],
      },
    ];
  });
};

/** Returns the parts of which enough is left, those at the very prices if there are any; all parts if none has enough. */
const candidatesFor = (
  refund: Sale,
  parts: readonly Sale[],
  givenBackOf: (part: Sale) => Before,
): readonly Sale[] => {
  const fitting = parts.filter(
    (part) => part.instant <= refund.instant && hasLeft(part, refund, givenBackOf(part)),
  );
  const exact = fitting.filter((part) => hasSamePieces(part, refund));
  return [exact, fitting].find(({ length }) => length > 0) ?? parts;
};

const doubtOf = (candidates: readonly Sale[]): SaleFinding => {
  const [first = '', ...others] = candidates.map(({ id, businessDate }) => `${id} of ${businessDate}`);
  const message = `the refund may be of ${first} or of ${others.join(' or ')}, and the export does not say which; posted, it counts for the first of them`;
  return { code: 'refund-part-unknown', message };
};

/** Whether equal goods have equal tax in both parts: that of one day and place, or none that the seller remits. */
const isTaxedAlike = (one: Sale, other: Sale): boolean =>
  one.exemptionType === other.exemptionType &&
  (one.exemptionType === 'marketplace' ||
    (one.taxDate === other.taxDate && isSamePlace(one.shipTo, other.shipTo)));

const isSamePlace = (one: Place, other: Place): boolean =>
  (['country', 'state', 'zip', 'city', 'street'] as const).every((name) => one[name] === other[name]);
