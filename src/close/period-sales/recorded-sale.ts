import type { Order, Refund, TransactionName } from '../../contract/transaction.ts';
import { sha256 } from '../../kernel/digest.ts';
import { readPage } from '../workspace/stage-pages.ts';
import type { ServicePorts } from './submitted-sale.ts';

/** What the service holds of a sale: a row of the pages of `recorded`. */
export type RecordedSale = {
  readonly key: string;
  readonly record: Order | Refund;
  /** Of a refund: the further refunds that bring it to what its export says now. */
  readonly adjustments?: readonly Refund[];
};

export const recordedStage = ({ serviceName }: Pick<ServicePorts, 'serviceName'>) =>
  `recorded ${serviceName}` as const;

/** What the service holds of the sales of a page, by their keys. */
export const recordedIn = async (
  ports: ServicePorts,
  slot: string,
): Promise<ReadonlyMap<string, RecordedSale>> => {
  const page = await readPage<RecordedSale>(ports.workspace, recordedStage(ports), slot);
  return new Map(page?.rows.map((row) => [row.key, row]));
};

/**
 * The `input` of a page of records: its sales, and where the service tells whether their records have changed, what was asked for
 * and the mark of their days.
 */
export const recordedInput = (
  keys: readonly string[],
  read?: { readonly asked: readonly string[]; readonly mark: string },
): string => [keysDigest(keys), ...(read ? [keysDigest(read.asked), read.mark] : [])].join(' ');

/** Whether a page of records was read for these sales. */
export const isReadFor = (input: string, keys: readonly string[]): boolean =>
  input.split(' ', 1)[0] === keysDigest(keys);

/** The mark under which a page of records was read; `undefined` where the service tells nothing. */
export const markIn = (input: string): string | undefined => input.split(' ')[2];

const keysDigest = (keys: readonly string[]): string => sha256(keys.join('\n'));

/** A record of the service, by what identifies it there. */
export type RecordName = TransactionName & { readonly provider: string };
