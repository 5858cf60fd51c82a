import type { SaleExemption } from '../certificates/certificate.ts';
import type { TaxResult, TaxSource } from '../contract/tax-result.ts';
import type { Order, Refund } from '../contract/transaction.ts';
import { type Money, moneyOfPrice, negate, subtract, ZERO } from '../kernel/money.ts';
import { type FieldDifference, hasValueDifference } from './compare-record.ts';
import { type Explained, explainVariance, isUnexplained, type VarianceInput } from './explain-variance.ts';
import { type LevelFigures, levelFiguresOf } from './level-figures.ts';
import type { SharedRate } from './rate-claim.ts';
import type { Reason } from './reason.ts';

export type Status =
  | 'tied out'
  | 'explained'
  | 'unexplained'
  | 'recorded otherwise'
  | 'not recorded'
  | 'not calculated';

/** The three figures of one posted sale and how they relate. Amounts of refunds are negative. */
export type ReconciledSale = {
  readonly status: Status;
  readonly hasNexus: boolean;
  readonly taxSource: TaxSource | null;
  readonly freightTaxable: boolean;
  /**
   * Set if the service did not confirm the sale's day as effective date: the rates are those of the day of the request.
   */
  readonly hasTodaysRates?: true;
  /** `null` when the service refused to calculate. */
  readonly expected: Money | null;
  readonly taxable: Money;
  /** `null` when the service does not hold the sale. */
  readonly recorded: Money | null;
  readonly reasons: readonly Reason[];
  /** Tax by Tieout's own engine, if it differs and the content is complete for the place. */
  readonly secondOpinion?: Money;
  /** The rate that the sale shares with others, if it causes the variance. */
  readonly shared?: SharedRate;
  readonly levels: readonly LevelFigures[];
  readonly differences: readonly FieldDifference[];
  /** Why there is no expectation or no record. */
  readonly detail: string;
  /** Set only for an exempt sale. */
  readonly exemption?: SaleExemption;
};

/** What depends on an answer of the service. */
type Answered = 'whole' | 'alternatives' | 'claims' | 'isCutShort';

export type ReconcileInput = Omit<VarianceInput, Answered | 'expectation' | 'isMarketplace' | 'search'> & {
  readonly expectation:
    | (Pick<VarianceInput, Answered> & {
        readonly basis: 'calculated' | 'no registration' | 'marketplace';
        readonly result: TaxResult;
      })
    | undefined;
  readonly hasTodaysRates?: boolean;
  /** Tax by Tieout's own engine, if it differs from the answer; positive, for refunds too. */
  readonly secondOpinion?: Money | undefined;
  readonly recorded: Order | Refund | undefined;
  readonly differences: readonly FieldDifference[];
  readonly detail: string;
};

export const reconcileSale = (given: ReconcileInput): ReconciledSale => {
  const { expectation, sale, differences, secondOpinion, detail } = given;
  const { reasons, claims, model } = explainedOf(given);
  const result = expectation?.result;
  const expected = result?.amount_to_collect ?? null;
  const recorded = given.recorded ? moneyOfPrice(given.recorded.sales_tax) : null;
  // The last claim counts: gaps of the content come after the seller's claims.
  const shared = claims?.at(-1)?.shared;
  const figures: ReconciledSale = {
    status: statusOf({ expected, recorded, reasons, differences }),
    hasNexus: result?.has_nexus ?? false,
    taxSource: result?.tax_source ?? null,
    freightTaxable: result?.freight_taxable ?? false,
    ...(given.hasTodaysRates === true && { hasTodaysRates: true as const }),
    expected,
    ...(secondOpinion !== undefined && { secondOpinion }),
    taxable: result?.taxable_amount ?? ZERO,
    recorded,
    reasons,
    ...(shared && { shared }),
    levels: levelFiguresOf(result, sale, model),
    differences,
    detail,
  };
  return sale.kind === 'refund' ? negated(figures) : figures;
};

/** The figures with the other sign, but for what is recorded. */
export const negated = ({ expected, secondOpinion, taxable, exemption, ...figures }: ReconciledSale) => ({
  ...figures,
  expected: expected === null ? null : negate(expected),
  ...(secondOpinion !== undefined && { secondOpinion: negate(secondOpinion) }),
  taxable: negate(taxable),
  reasons: figures.reasons.map((reason) => ({ ...reason, amount: negate(reason.amount) })),
  levels: figures.levels.map((level) => ({
    ...level,
    taxable: negate(level.taxable),
    tax: negate(level.tax),
    collected: negate(level.collected),
  })),
  ...(exemption && {
    exemption: {
      ...exemption,
      relieved: exemption.relieved === null ? null : negate(exemption.relieved),
    },
  }),
});

/**
 * Explain a sale's variance. A disputed answer proves nothing until a person decides, and tax collected without a calculation
 * is unexplained, so that reasons always add up.
 */
const explainedOf = ({ expectation, ...given }: ReconcileInput): Explained => {
  if (expectation !== undefined && given.secondOpinion === undefined)
    return explainVariance({
      ...given,
      ...expectation,
      expectation: expectation.result,
      isMarketplace: expectation.basis === 'marketplace',
    });
  const amount = subtract(given.sale.salesTax, expectation?.result.amount_to_collect ?? ZERO);
  const proof =
    given.secondOpinion === undefined
      ? given.detail || 'there is no calculation'
      : 'no reason is looked for until it is decided which of the two calculations is right';
  return { reasons: amount === ZERO ? [] : [{ code: 'R99', amount, proof }] };
};

/** How the figures of a sale relate. */
export const statusOf = ({
  expected,
  recorded,
  differences,
  reasons,
}: Pick<ReconciledSale, 'expected' | 'recorded' | 'differences' | 'reasons'>): Status => {
  if (recorded === null) return 'not recorded';
  if (hasValueDifference(differences)) return 'recorded otherwise';
  if (expected === null) return 'not calculated';
  if (reasons.length === 0) return 'tied out';
  return isUnexplained({ reasons }) ? 'unexplained' : 'explained';
};
