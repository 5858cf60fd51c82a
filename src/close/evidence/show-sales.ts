import { join } from 'node:path';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { Json } from '../../kernel/digest.ts';
import { type Exception, exceptionOfSetAside } from '../reconcile/exceptions.ts';
import type { ChannelSetAside } from '../report/write-rejects.ts';
import { bareName } from '../sales/record-id.ts';
import { bodyOf, countedAnswer, requestOf } from './derivation.ts';
import { readLog } from './log-file.ts';
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
 * from. A text also finds rows that are set aside and that the report does not list.
 */
export const showExceptions = async (folder: string, text: string): Promise<readonly Exception[]> => {
  const { report } = await readReportLog(join(folder, logPath('report')));
  const [name = '', ...path] = text.replaceAll('#', '').split('/').reverse();
  const isWanted = ({ record, origin }: Exception): boolean =>
    [record, origin.record.replaceAll('#', '')].some((own) =>
      path.length > 0 ? own.startsWith(name) : own.includes(name),
    );
  const found = report.exceptions.filter(isWanted);
  if (text === '') return found;
  const listed = new Set(found.map(identityOf));
  for await (const line of readLog(join(folder, logPath('set-aside')))) {
    const draft = exceptionOfSetAside(line as ChannelSetAside);
    const exception = { ...draft, record: bareName(draft.origin.record), accepted: '' };
    if (isWanted(exception) && !listed.has(identityOf(exception))) found.push(exception);
  }
  return found;
};

const identityOf = ({ code, origin, message }: Exception): string => JSON.stringify([code, origin, message]);
