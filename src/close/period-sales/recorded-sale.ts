import type { Order, Refund, TransactionName } from '../../contract/transaction.ts';
import { sha256 } from '../../kernel/digest.ts';
import { readPage } from '../workspace/stage-pages.ts';
import type { ServicePorts } from './submitted-sale.ts';

/** The record of a sale in the service: a row of the pages of `recorded`. */
export type RecordedSale = {
  readonly key: string;
  readonly record: Order | Refund;
  /** Only for a refund: further refunds that bring the total to what its export states now. */
  readonly adjustments?: readonly Refund[];
};

export const recordedStage = ({ serviceName }: Pick<ServicePorts, 'serviceName'>) =>
  `recorded ${serviceName}` as const;

/** Returns the service's records for the sales of a page, by key. */
export const recordedIn = async (
  ports: ServicePorts,
  slot: string,
): Promise<ReadonlyMap<string, RecordedSale>> => {
  const page = await readPage<RecordedSale>(ports.workspace, recordedStage(ports), slot);
  return new Map(page?.rows.map((row) => [row.key, row]));
};

/** The posted sales of a page by their keys, and the content of the page as in `SalesPage`. */
type SalesOfPage = { readonly keys: readonly string[]; readonly content?: string | undefined };

/**
 * The `input` of a page of records: a digest of its sales, the content of their page and, where the service reports
 * changes of records, a digest of the records that were requested and the change mark of their days.
 */
export const recordedInput = (
  { keys, content = NO_CONTENT }: SalesOfPage,
  read?: { readonly asked: readonly string[]; readonly mark: string },
): string => [keysDigest(keys), content, ...(read ? [keysDigest(read.asked), read.mark] : [])].join(' ');

const NO_CONTENT = '-';

/** Returns the mark under which a page of records was read; `undefined` where the service does not report changes. */
export const markIn = (input: string): string | undefined => input.split(' ')[3];

const keysDigest = (keys: readonly string[]): string => sha256(keys.join('\n'));

/** A record of the service, by the fields that identify it there. */
export type RecordName = TransactionName & { readonly provider: string };
