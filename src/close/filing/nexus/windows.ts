import type { NexusRule } from '../law/nexus-rule.ts';

/** A span of whole months, both included. */
export type Span = { readonly first: number; readonly last: number };

/**
 * The spans over which a threshold is measured at the end of a month. A rule of the previous year is watched in the
 * current one too: what is sold this year decides about the next.
 */
export const spansOf = (
  { window, firstMonth }: Pick<NexusRule, 'window' | 'firstMonth'>,
  end: number,
): readonly Span[] => {
  const january = end - (end % 12);
  switch (window) {
    case 'previous year':
    case 'previous or current year':
      return [
        { first: january, last: end },
        { first: january - 12, last: january - 1 },
      ];
    case 'rolling 12 months':
      return [{ first: end - 11, last: end }];
    case 'last four quarters': {
      // The quarter that runs is watched with the three before it.
      const quarter = end - ((((end - firstMonth + 1) % 3) + 3) % 3);
      return [
        { first: quarter - 9, last: end },
        { first: quarter - 12, last: quarter - 1 },
      ];
    }
    case 'year to september': {
      const october = end % 12 >= 9 ? january + 9 : january - 3;
      return [
        { first: october, last: end },
        { first: october - 12, last: october - 1 },
      ];
    }
  }
};
