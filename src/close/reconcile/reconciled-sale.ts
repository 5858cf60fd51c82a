import type { TaxResult, TaxSource } from '../../contract/tax-result.ts';
import type { Order, Refund } from '../../contract/transaction.ts';
import { allocate, type Money, moneyOfPrice, negate, subtract, ZERO } from '../../kernel/money.ts';
import type { SaleExemption } from '../certificates/certificate.ts';
import type { SaleLine, TaxLine } from '../sales/sale.ts';
import { type FieldDifference, hasValueDifference } from './compare-record.ts';
import { type Explained, explainVariance, isUnexplained, type VarianceInput } from './explain-variance.ts';
import { type LevelFigures, levelFiguresOf } from './level-figures.ts';
import type { SharedRate } from './rate-claim.ts';
import type { Reason } from './reason.ts';
import { SHIPPING_UNIT, sumsBy, type TaxModel, taxModelOf, weightsBy } from './tax-model.ts';

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
  /** The figures by line if collected and expected differ; otherwise empty, to keep the row small. */
  readonly lines: readonly LineFigures[];
  readonly differences: readonly FieldDifference[];
  /** Why there is no expectation or no record. */
  readonly detail: string;
  /** Set only for an exempt sale. */
  readonly exemption?: SaleExemption;
};

/** What depends on an answer of the service. */
type Answered =
  | 'expectation'
  | 'whole'
  | 'alternatives'
  | 'claims'
  | 'isCutShort'
  | 'isMarketplace'
  | 'search';

export type ReconcileInput = Omit<VarianceInput, Answered | 'taxLines'> & {
  /** The destination state, for tax collected where nothing is levied. */
  readonly state: string;
  /** The shop's tax by jurisdiction; empty if its export does not state it. */
  readonly taxLines: readonly TaxLine[];
  readonly expectation:
    | (Pick<VarianceInput, 'whole' | 'alternatives' | 'claims' | 'isCutShort'> & {
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
  const isRefund = given.kind === 'refund';
  const sign = isRefund ? negate : (amount: Money) => amount;
  const signed = <Row>(rows: readonly Row[], negated: (row: Row) => Row): readonly Row[] =>
    isRefund ? rows.map(negated) : rows;
  const { expectation, recorded, collected, taxLines, state } = given;
  const explained = explainedOf(given);
  const result = expectation?.result;
  return {
    status: statusOf(given, explained),
    hasNexus: result?.has_nexus ?? false,
    taxSource: result?.tax_source ?? null,
    freightTaxable: result?.freight_taxable ?? false,
    ...(given.hasTodaysRates === true && { hasTodaysRates: true as const }),
    expected: result ? sign(result.amount_to_collect) : null,
    ...(given.secondOpinion !== undefined && { secondOpinion: sign(given.secondOpinion) }),
    taxable: sign(result?.taxable_amount ?? ZERO),
    recorded: recorded ? moneyOfPrice(recorded.sales_tax) : null,
    reasons: signed(explained.reasons, (reason) => ({ ...reason, amount: negate(reason.amount) })),
    ...sharedOf(explained),
    levels: signed(
      levelFiguresOf(result, { collected, taxLines, state, model: explained.model }),
      (level) => ({
        ...level,
        taxable: negate(level.taxable),
        tax: negate(level.tax),
        collected: negate(level.collected),
      }),
    ),
    lines:
      explained.reasons.length === 0
        ? []
        : signed(lineFiguresOf(result, given, explained.model), (line) => ({
            ...line,
            collected: negate(line.collected),
            expected: negate(line.expected),
          })),
    differences: given.differences,
    detail: given.detail,
  };
};

/** The shared rate of the last claim: gaps of the content come after the seller's claims. */
const sharedOf = ({ claims }: Explained): Pick<ReconciledSale, 'shared'> => {
  const claim = claims?.at(-1);
  return claim === undefined ? {} : { shared: claim.shared };
};

/** Explain a sale's variance. Tax collected without a calculation is unexplained, so that reasons always add up. */
const explainedOf = (sale: ReconcileInput): Explained => {
  const { expectation, ...given } = sale;
  if (sale.secondOpinion !== undefined) return doubted(sale);
  if (expectation !== undefined)
    return explainVariance({
      ...{ ...given, ...expectation },
      expectation: expectation.result,
      isMarketplace: expectation.basis === 'marketplace',
    });
  if (given.collected === ZERO) return { reasons: [] };
  return {
    reasons: [{ code: 'R99', amount: given.collected, proof: given.detail || 'there is no calculation' }],
  };
};

/** The variance as unexplained: a disputed answer proves nothing until a person decides. */
const doubted = ({ collected, expectation }: ReconcileInput): Explained => {
  const variance = subtract(collected, expectation?.result.amount_to_collect ?? ZERO);
  const proof = 'no reason is looked for until it is decided which of the two calculations is right';
  return { reasons: variance === ZERO ? [] : [{ code: 'R99', amount: variance, proof }] };
};

const statusOf = ({ expectation, recorded, differences }: ReconcileInput, explained: Explained): Status => {
  if (!recorded) return 'not recorded';
  if (hasValueDifference(differences)) return 'recorded otherwise';
  if (!expectation) return 'not calculated';
  if (explained.reasons.length === 0) return 'tied out';
  return isUnexplained(explained) ? 'unexplained' : 'explained';
};

/** The three figures of one line, or of shipping. Expected and collected add up to the sale's. */
type LineFigures = {
  readonly id: string;
  readonly collected: Money;
  readonly expected: Money;
  /** `null` if the service has no such line; it records no tax for shipping. */
  readonly recorded: Money | null;
};

/** Maximum number of lines whose figures are kept. */
const LINES_MAX = 100;

/**
 * Allocate the figures of a sale to its lines. The export gives collected tax only for the whole order, so it is
 * allocated by the proved calculation of the shop, or in proportion to the expected tax.
 */
const lineFiguresOf = (
  result: TaxResult | undefined,
  given: {
    readonly collected: Money;
    readonly lines: readonly SaleLine[];
    readonly recorded: Order | Refund | undefined;
  },
  model: TaxModel | undefined,
): readonly LineFigures[] => {
  const { lines, recorded, collected } = given;
  if (!result || lines.length === 0 || lines.length > LINES_MAX) return [];
  const expectedBy = weightsBy(sumsBy(taxModelOf(result, lines), (unit) => unit));
  const collectedBy = model ? weightsBy(sumsBy(model, (unit) => unit)) : expectedBy;
  const ids = [...lines.map(({ id }) => id), SHIPPING_UNIT];
  const share = (amount: Money, weights: ReadonlyMap<string, number>): readonly Money[] =>
    allocate(
      amount,
      ids.map((id) => weights.get(id) ?? 0),
    );
  const expectedParts = share(result.amount_to_collect, expectedBy);
  const collectedParts = share(collected, collectedBy);
  return ids
    .map((id, index): LineFigures => {
      const line = recorded?.line_items[index];
      return {
        id,
        collected: collectedParts[index] ?? ZERO,
        expected: expectedParts[index] ?? ZERO,
        recorded: line ? moneyOfPrice(line.sales_tax) : null,
      };
    })
    .filter(
      ({ id, ...figures }) => id !== SHIPPING_UNIT || figures.collected !== ZERO || figures.expected !== ZERO,
    );
};
