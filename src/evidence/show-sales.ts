import { join } from 'node:path';
import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import type { Finding } from '../judge/finding.ts';
import type { ReconciledSale } from '../judge/reconciled-sale.ts';
import { findingOfSetAside } from '../judge/sale-findings.ts';
import type { Json } from '../kernel/json.ts';
import { type Posting, postingOf, type Sale } from '../sales/sale.ts';
import { bodyOf, type Recorded, requestOf } from './entry.ts';
import { readFrame } from './frame.ts';
import { logPath, readLog } from './log-file.ts';
import { derivationIn, type Manifest } from './manifest.ts';
import { periodSums } from './period-sums.ts';
import { readEntries, refundedIn } from './read-entries.ts';
import { reportOf } from './reduce.ts';
import type { Stray } from './stray.ts';

/** A sale of the evidence with everything derived from its line in the log, in the order of events. */
export type ShownSale = {
  readonly posting: Posting;
  readonly sale: Sale;
  readonly calculation:
    | {
        readonly service: string;
        readonly request: Json;
        readonly result: TaxResult;
      }
    | undefined;
  readonly submission:
    | {
        readonly state: string;
        readonly detail: string;
        readonly body: Json;
      }
    | undefined;
  readonly recorded: Recorded | undefined;
  readonly reconciled: ReconciledSale | null;
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
  for await (const entry of readEntries(folder)) {
    const { sale, answer, sent, recorded, figures } = entry;
    if (!sale.key.includes(wanted)) continue;
    const { state = 'held', detail = '' } = sent ?? {};
    yield {
      posting: postingOf(sale),
      sale,
      calculation: answer && {
        service: derivation.service,
        request: requestOf(sale, derivation),
        result: answer.result,
      },
      submission: figures === undefined ? undefined : { state, detail, body: bodyOf(entry, derivation) },
      recorded,
      reconciled: figures ?? null,
    };
  }
}

/**
 * Returns the exceptions of a folder whose record names contain this text; those of a sale have the place it was read
 * from. A text also finds rows that are set aside and that the report does not list.
 */
export const showExceptions = async (folder: string, text: string): Promise<readonly Finding[]> => {
  const frame = await readFrame(join(folder, logPath('report')));
  const sums = periodSums({ ...frame, refunded: await refundedIn(folder) });
  for await (const entry of readEntries(folder)) sums.add(entry);
  for await (const line of readLog(join(folder, logPath('set-aside'))))
    sums.addAside(line as ChannelSetAside);
  for await (const line of readLog(join(folder, logPath('strays')))) sums.addStray(line as Stray);
  const { exceptions } = reportOf(frame, sums);
  const [name = '', ...path] = text.replaceAll('#', '').split('/').reverse();
  const isWanted = ({ record, origin }: Finding): boolean =>
    [record, origin.record.replaceAll('#', '')].some((own) =>
      path.length > 0 ? own.startsWith(name) : own.includes(name),
    );
  const found = exceptions.filter(isWanted);
  if (text === '') return found;
  const listed = new Set(found.map(identityOf));
  for (const aside of sums.asides.map(findingOfSetAside))
    if (isWanted(aside) && !listed.has(identityOf(aside))) found.push(aside);
  return found;
};

const identityOf = ({ code, origin, message }: Finding): string => JSON.stringify([code, origin, message]);
