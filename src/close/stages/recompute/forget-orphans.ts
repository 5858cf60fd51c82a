import { ExemptionType } from '../../../contract/scalars.ts';
import type { TaxRequestInput } from '../../../contract/tax-request.ts';
import { afterKey } from '../../../database/after-key.ts';
import { pagesOf } from '../../../database/pages.ts';
import { digestOf, type Json } from '../../../kernel/digest.ts';
import { type DigestSieve, digestSieve } from '../../../kernel/digest-sieve.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { isExempting } from '../../certificates/exemption-reason.ts';
import { answeringServices, noteNoOrphans } from '../../workspace/answering.ts';
import type { StoredAlternative } from '../../workspace/expectation-of.ts';
import type { CalculationRow, SaleCalculationRow } from '../../workspace/tables.ts';
import { BATCH_ROWS, type Workspace } from '../../workspace/workspace.ts';
import { type Advanced, type ClosePorts, EMBEDDED } from '../close-ports.ts';

/** Digests are small. */
const PAGE_DIGESTS = 5_000;

/**
 * Remove answers of an embedded service that answers for no entity any more, because the program or its tax content has
 * changed, as far as nothing refers to them: no sale of any entity, filed ones included, with its calculation or with
 * what was asked to explain its variance, and no exemption with the tax it relieves. Answers of a remote service
 * cost money and stay.
 *
 * What nobody can need is gone batch by batch; that none is left is noted last.
 */
export const forgetOrphans = async (
  { workspace }: ClosePorts,
  advanced: Advanced,
): Promise<StageResult<number>> => {
  const { tables } = workspace;
  const needed = await neededDigests(workspace, () => advanced(0));
  const answering = await answeringServices(workspace);
  let removed = 0;
  const pages = pagesOf<Pick<CalculationRow, 'digest'>>(PAGE_DIGESTS, (after, rowsMax) =>
    tables
      .selectFrom('calculation')
      .select('digest')
      .$if(after !== undefined, (query) => query.where('digest', '>', after?.digest ?? ''))
      .orderBy('digest')
      .limit(rowsMax)
      .execute(),
  );
  for await (const page of pages) {
    const unnamed = page.map(({ digest }) => digest).filter((digest) => !needed.has(digest));
    for (const digests of batchesOf(unnamed, BATCH_ROWS)) {
      removed += await removeAmong(workspace, digests, { needed, answering });
      advanced(removed);
    }
  }
  await noteNoOrphans(workspace);
  return { value: removed, summary: `${removed} calculations removed that nothing refers to any more` };
};

/** The digests of all calculations that some sale refers to. */
const neededDigests = async ({ tables }: Workspace, onPage: () => void): Promise<DigestSieve> => {
  const needed = digestSieve();
  const pages = pagesOf<Pick<SaleCalculationRow, 'entity' | 'key' | 'calculation' | 'alternatives'>>(
    BATCH_ROWS,
    (after, rowsMax) =>
      tables
        .selectFrom('sale_calculation')
        .select(['entity', 'key', 'calculation', 'alternatives'])
        .$if(after !== undefined, (query) =>
          query.where(afterKey({ entity: after?.entity ?? '', key: after?.key ?? '' })),
        )
        .orderBy('entity')
        .orderBy('key')
        .limit(rowsMax)
        .execute(),
  );
  for await (const page of pages) {
    for (const { calculation, alternatives } of page) {
      if (calculation !== null) needed.add(calculation);
      for (const asked of JSON.parse(alternatives) as StoredAlternative[]) needed.add(asked.calculation);
    }
    onPage();
  }
  return needed;
};

const removeAmong = async (
  { tables }: Workspace,
  digests: readonly string[],
  { needed, answering }: { readonly needed: DigestSieve; readonly answering: readonly string[] },
): Promise<number> => {
  const rows = await tables
    .selectFrom('calculation')
    .select(['digest', 'service', 'request'])
    .where('digest', 'in', digests)
    .where('service', 'like', `${EMBEDDED}%`)
    .where('service', 'not in', answering)
    .execute();
  const orphans = rows.filter((row) => !isRelief(row, needed)).map(({ digest }) => digest);
  if (orphans.length > 0) await tables.deleteFrom('calculation').where('digest', 'in', orphans).execute();
  return orphans.length;
};

/** Whether it tells what an exemption relieves: a sale refers to the answer to the same request with the exemption. */
const isRelief = (
  { service, request }: Pick<CalculationRow, 'service' | 'request'>,
  needed: DigestSieve,
): boolean => {
  const asked = JSON.parse(request) as TaxRequestInput;
  if (asked.exemption_type !== 'non_exempt') return false;
  return ExemptionType.options
    .filter(isExempting)
    .some((exemption) =>
      needed.has(digestOf({ service, request: { ...asked, exemption_type: exemption } } as Json)),
    );
};
