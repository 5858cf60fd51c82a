import type { TransactionName } from '../../../contract/transaction.ts';

/** A record of the service, by what identifies it there. */
export type RecordName = TransactionName & { readonly provider: string };
