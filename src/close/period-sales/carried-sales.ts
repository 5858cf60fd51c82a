import { TieoutError } from '../../kernel/errors.ts';
import type { Sale } from '../sales/sale.ts';
import { type CarriedSale, carriedPages } from '../workspace/carried-sales.ts';
import { type SalesPage, type StoredSale, slotOfKind, takesRecordBack } from '../workspace/sale-page.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FilingPlan, isOpenSpan } from './filing-plan.ts';

/** What was carried into open days of the period, or put into the amended version that it is. */
export async function* carriedInto(
  workspace: Workspace,
  { spans, amendment }: FilingPlan,
): AsyncGenerator<SalesPage> {
  const days = amendment === undefined ? spans.filter(isOpenSpan) : spans;
  for (const { first, last } of days) {
    for await (const page of carriedPages(workspace, amendment ?? '', { first, last })) {
      yield {
        slot: slotOfKind('late', amendment ?? page[0]?.filed_on ?? '', page.at(-1)?.key ?? ''),
        sales: page.map(storedSale),
      };
    }
  }
}

const storedSale = (row: CarriedSale): StoredSale => {
  const { key, body, digest, posting, filed_on: filedOn, source, corrects, replaces } = row;
  const sale = JSON.parse(body) as Sale;
  const isReversal = takesRecordBack(sale, corrects);
  const reversedFigures = isReversal ? row.replacedFigures : null;
  if (isReversal && reversedFigures === null) throw notFiled(key, replaces);
  return { sale, digest, posting, filedOn, late: { source, corrects, reversedFigures } };
};

const notFiled = (key: string, replaces: string): TieoutError =>
  new TieoutError({
    code: 'E_LOCK_BROKEN',
    recovery: 'fix-input',
    message: `${key} takes back ${replaces}, which no lock of this workspace holds`,
    nextStep:
      'Adopt the folder of the period that it was filed with, with `tieout adopt`, or put back a copy of the workspace with `tieout restore`.',
  });
