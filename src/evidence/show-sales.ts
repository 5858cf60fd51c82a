import { join } from 'node:path';
import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import type { Finding } from '../judge/finding.ts';
import { findingOfSetAside } from '../judge/sale-findings.ts';
import { postingOf } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/service-records.ts';
import { bodyOf, type Entry } from './entry.ts';
import { readFrame } from './frame.ts';
import { logPath, readLog } from './log-file.ts';
import { type Derivation, derivationIn, type Manifest } from './manifest.ts';
import { periodSums } from './period-sums.ts';
import { countLines, ENTRIES, readEntries } from './read-entries.ts';
import { reportOf } from './reduce.ts';
import type { Stray } from './stray.ts';

/** A sale of the evidence with everything derived from its line in the log, in the order of events. */
export type ShownSale = ReturnType<typeof shownSale>;

const shownSale = (entry: Entry, derivation: Derivation) => {
  const { sale, answer, sent, recorded, figures } = entry;
  const { state = 'held', detail = '' } = sent ?? {};
  return {
    posting: postingOf(sale),
    sale,
    calculation: answer && {
      service: derivation.service,
      request: taxRequestOf(sale, derivation.shipFrom),
      result: answer.result,
    },
    submission: figures === undefined ? undefined : { state, detail, body: bodyOf(entry, derivation) },
    recorded,
    reconciled: figures ?? null,
  };
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
  for await (const entry of readEntries(folder))
    if (entry.sale.key.includes(wanted)) yield shownSale(entry, derivation);
}

/**
 * Returns the exceptions of a folder whose record names contain this text; those of a sale have the place it was read
 * from. A text also finds rows that are set aside and that the report does not list.
 */
export const showExceptions = async (folder: string, text: string): Promise<readonly Finding[]> => {
  const frame = await readFrame(folder);
  const refunded = new Set<string>();
  await countLines(folder, ENTRIES, refunded);
  const sums = periodSums({ ...frame, refunded });
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
