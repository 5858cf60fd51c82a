import { digestOf } from '../../../kernel/digest.ts';
import { byKey, type StoredSale } from '../../workspace/sales-of.ts';
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
 * The sales of a page that are not calculated yet as they are now, or were refused when last asked for. What takes back a filed record has the figures of that one and is never
 * calculated.
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
    .select(['key', 'sale_digest', 'context', 'basis'])
    .where('entity', '=', workspace.entity)
    .where('key', 'in', keys)
    .execute();
  const known = byKey(rows);
  return page.filter(({ sale, digest }) => {
    const row = known.get(sale.key);
    const isCurrent = row?.sale_digest === digest && row.context === context;
    return !isCurrent || row.basis === 'refused';
  });
};
