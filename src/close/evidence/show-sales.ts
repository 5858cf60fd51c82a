import { join } from 'node:path';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { Json } from '../../kernel/digest.ts';
import type { Exception } from '../reconcile/exceptions.ts';
import { bodyOf, countedAnswer, requestOf } from './derivation.ts';
import { type LoggedSale, logPath } from './logged.ts';
import { derivationIn, type Manifest } from './manifest.ts';
import { readSales } from './read-sales.ts';
import { readReportLog } from './report-log.ts';

/** A sale of the evidence with everything derived from its line in the log, in the order of events. */
export type ShownSale = Pick<LoggedSale, 'posting' | 'sale' | 'recorded' | 'reconciled'> & {
  readonly calculation:
    | { readonly service: string; readonly request: Json; readonly result: TaxResult }
    | undefined;
  readonly submission: { readonly state: string; readonly detail: string; readonly body: Json } | undefined;
};

/**
 * Yields the sales of a folder whose keys contain this text. A `#`, which shops write before a number, is ignored,
 * because keys do not contain it.
 */
export async function* showSales(
  folder: string,
  { content }: Manifest,
  text: string,
): AsyncGenerator<ShownSale> {
  const derivation = derivationIn(content);
  const wanted = text.replaceAll('#', '');
  for await (const logged of readSales(folder, derivation)) {
    const { posting, sale, calculation, submission, recorded, reconciled } = logged;
    if (!sale.key.includes(wanted)) continue;
    yield {
      posting,
      sale,
      calculation: calculation && {
        service: calculation.service,
        request: requestOf(sale, derivation),
        result: calculation.result,
      },
      submission: submission && {
        state: submission.state,
        detail: submission.detail,
        body: bodyOf(sale, countedAnswer(calculation?.result, reconciled), derivation),
      },
      recorded,
      reconciled,
    };
  }
}

/**
 * Returns the exceptions of a folder whose record names contain this text; those of a sale have the place it was read
 * from.
 */
export const showExceptions = async (folder: string, text: string): Promise<readonly Exception[]> => {
  const { report } = await readReportLog(join(folder, logPath('report')));
  const [name = '', ...path] = text.replaceAll('#', '').split('/').reverse();
  return report.exceptions.filter(({ record, origin }) =>
    [record, origin.record.replaceAll('#', '')].some((own) =>
      path.length > 0 ? own.startsWith(name) : own.includes(name),
    ),
  );
};
