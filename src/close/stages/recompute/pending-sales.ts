import { digestOf } from '../../../kernel/digest.ts';
import { resultsOf, type StoredAlternative } from '../../workspace/expectation-of.ts';
import { byKey, type StoredSale } from '../../workspace/sales-of.ts';
import type { SaleCalculationRow } from '../../workspace/tables.ts';
import type { ClosePorts } from '../close-ports.ts';

/** What a calculation, and what was asked about it, depends on beside its sale. */
export const contextOf = ({ configuration, serviceId, programDigest }: ClosePorts): string =>
  digestOf({
    program: programDigest,
    service: serviceId,
    shipFrom: configuration.shipFrom,
    registrations: configuration.registrations.map(({ state, since }) => `${state} ${since}`),
  });

/**
 * The sales of a page that are not calculated yet as they are now, or were refused when last asked for, or rest on a
 * kept answer that contradicts itself. What takes back a filed record has the figures of that one and is never calculated.
 */
export const pendingSales = async (
  { workspace, recompute }: ClosePorts,
  given: readonly StoredSale[],
  context: string,
): Promise<readonly StoredSale[]> => {
  const page = given.filter(({ late }) => (late?.takesBack ?? null) === null);
  if (page.length === 0 || recompute) return page;
  const keys = page.map(({ sale }) => sale.key);
  const rows = await workspace.tables
    .selectFrom('sale_calculation')
    .select(['key', 'sale_digest', 'context', 'basis', 'calculation', 'alternatives'])
    .where('entity', '=', workspace.entity)
    .where('key', 'in', keys)
    .execute();
  const known = byKey(rows);
  const sound = await resultsOf(workspace, rows.flatMap(digestsOf));
  return page.filter(({ sale, digest }) => {
    const row = known.get(sale.key);
    const isCurrent = row?.sale_digest === digest && row.context === context;
    return !isCurrent || row.basis === 'refused' || digestsOf(row).some((each) => !sound.has(each));
  });
};

type Asked = Pick<SaleCalculationRow, 'calculation' | 'alternatives'>;

/** The calculations that a sale rests on. */
const digestsOf = ({ calculation, alternatives }: Asked): readonly string[] => [
  ...(calculation === null ? [] : [calculation]),
  ...(JSON.parse(alternatives) as StoredAlternative[]).map((each) => each.calculation),
];
