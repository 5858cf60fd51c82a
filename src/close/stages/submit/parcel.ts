import type { NewTransaction, TransactionName } from '../../../contract/transaction.ts';
import { wireSent } from '../../../contract/wire-transaction.ts';
import { digestOf, type Json } from '../../../kernel/digest.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import { expectationsOf } from '../../workspace/expectation-of.ts';
import { byKey, type StoredSale } from '../../workspace/sales-of.ts';
import type { SubmissionRow } from '../../workspace/service-tables.ts';
import type { ClosePorts } from '../close-ports.ts';

/** A sale as it is recorded, ready to be sent. */
export type Parcel = {
  readonly stored: StoredSale;
  readonly sent: NewTransaction;
  /** Of what is written of it. */
  readonly digest: string;
};

/** The name of its record. */
export const recordName = ({ sent: { kind, transaction } }: Parcel): TransactionName => ({
  kind,
  id: transaction.transaction_id,
  provider: transaction.provider,
});

/** What of a page of posted sales is not held by the service as it is now. */
export const pendingParcels = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
): Promise<readonly Parcel[]> => {
  if (page.length === 0) return [];
  const keys = page.map(({ sale }) => sale.key);
  const rows = await ports.workspace.tables
    .selectFrom('submission')
    .select(['key', 'body_digest', 'state'])
    .where('entity', '=', ports.workspace.entity)
    .where('service', '=', ports.serviceName)
    .where('key', 'in', keys)
    .execute();
  const known = byKey(rows);
  const expectations = await expectationsOf(ports.workspace, keys);
  return page
    .map((stored): Parcel => {
      const expectation = expectations.get(stored.sale.key);
      const result = expectation && expectation.basis !== 'refused' ? expectation.result : undefined;
      const { configuration } = ports;
      const transaction = transactionOf(
        stored.sale,
        providerOf(configuration, stored.sale.channel),
        configuration.shipFrom,
        result,
      );
      return {
        stored,
        sent: { kind: stored.sale.kind, transaction },
        digest: digestOf(wireSent(transaction) as Json),
      };
    })
    .filter(({ stored, digest }) => {
      const row = known.get(stored.sale.key);
      return row?.body_digest !== digest || row.state !== 'held';
    });
};

export const submissionRow = (
  ports: ClosePorts,
  parcel: Parcel,
  state: string,
  detail: string,
): SubmissionRow => ({
  entity: ports.workspace.entity,
  key: parcel.stored.sale.key,
  service: ports.serviceName,
  body_digest: parcel.digest,
  sale_digest: parcel.stored.digest,
  state,
  detail,
});
