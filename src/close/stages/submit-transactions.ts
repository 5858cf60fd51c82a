import { accept, ServiceRefusal } from '../../contract/refusal.ts';
import {
  CreateOrder,
  type CreateOrderInput,
  CreateRefund,
  type CreateRefundInput,
} from '../../contract/transaction.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { compareRecord, hasValueDifference } from '../reconcile/compare-record.ts';
import { transactionOf } from '../sales/transaction-of.ts';
import { expectationsOf } from '../workspace/expectation-of.ts';
import { byKey, postedSalesOf, type StoredSale } from '../workspace/sales-of.ts';
import type { SubmissionRow } from '../workspace/tables.ts';
import type { Advanced, ClosePorts } from './close-ports.ts';
import { providerOf } from './provider-of.ts';

export type SubmitFigures = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly conflicts: number;
};

type Outcome = 'created' | 'updated' | 'unchanged' | 'refused' | 'conflict';
type Answer = { readonly outcome: Outcome; readonly detail: string };

/** A body with its sale, ready to be sent. */
type Parcel = {
  readonly stored: StoredSale;
  readonly body: CreateOrderInput | CreateRefundInput;
  readonly digest: string;
};

/**
 * Record every posted sale of the period with the service. What is held already, as it is, is not sent; what was
 * refused, or has gone missing there, is tried again. The intent
 * is stored before the first send, and a record that turns out to be there is read and compared, so that a lost
 * answer or a killed run never doubles anything.
 */
export const submitTransactions = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<SubmitFigures>> => {
  const counts: Record<Outcome, number> = { created: 0, updated: 0, unchanged: 0, refused: 0, conflict: 0 };
  let done = 0;
  for await (const page of postedSalesOf(ports.workspace, period)) {
    const parcels = await pendingParcels(ports, page);
    counts.unchanged += page.length - parcels.length;
    await ports.workspace.upsert(
      'submission',
      parcels.map((parcel) => rowOf(ports, parcel, 'sending', '')),
    );
    const answers = await inParallel(parcels, ports.configuration.service.concurrency, (parcel) =>
      send(ports, parcel),
    );
    const rows = parcels.map((parcel, index) => {
      const { outcome, detail } = answers[index] ?? { outcome: 'refused', detail: 'no answer' };
      counts[outcome] += 1;
      return rowOf(ports, parcel, outcome === 'refused' || outcome === 'conflict' ? outcome : 'held', detail);
    });
    await ports.workspace.upsert('submission', rows);
    done += page.length;
    advanced(done);
  }
  const figures = {
    created: counts.created,
    updated: counts.updated,
    unchanged: counts.unchanged,
    refused: counts.refused,
    conflicts: counts.conflict,
  };
  const summary = `${figures.created} created, ${figures.updated} updated, ${figures.unchanged} unchanged`;
  const troubles = figures.refused + figures.conflicts;
  return {
    value: figures,
    summary:
      troubles > 0 ? `${summary}, ${figures.refused} refused, ${figures.conflicts} in conflict` : summary,
  };
};

const pendingParcels = async (ports: ClosePorts, page: readonly StoredSale[]): Promise<readonly Parcel[]> => {
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
      const body = transactionOf(
        stored.sale,
        providerOf(configuration, stored.sale.channel),
        configuration.shipFrom,
        result,
      );
      return { stored, body, digest: digestOf(body as Json) };
    })
    .filter(({ stored, digest }) => {
      const row = known.get(stored.sale.key);
      return row?.body_digest !== digest || row.state !== 'held';
    });
};

const rowOf = (ports: ClosePorts, parcel: Parcel, state: string, detail: string): SubmissionRow => ({
  entity: ports.workspace.entity,
  key: parcel.stored.sale.key,
  service: ports.serviceName,
  body_digest: parcel.digest,
  sale_digest: parcel.stored.digest,
  state,
  detail,
});

const DUPLICATE = 422;

const send = async (ports: ClosePorts, parcel: Parcel): Promise<Answer> => {
  try {
    return parcel.stored.sale.kind === 'order'
      ? await sendOrder(ports, parcel)
      : await sendRefund(ports, parcel);
  } catch (error) {
    if (error instanceof ServiceRefusal) return { outcome: 'refused', detail: error.message };
    throw error;
  }
};

const isDuplicate = (error: unknown): boolean =>
  error instanceof ServiceRefusal && error.status === DUPLICATE;

const sendOrder = async ({ service }: ClosePorts, { stored, body }: Parcel): Promise<Answer> => {
  const { id } = stored.sale;
  try {
    await service.createOrder(body);
    return { outcome: 'created', detail: '' };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  const recorded = await service.showOrder(id, { provider: body.provider });
  if (!hasValueDifference(compareRecord(accept(CreateOrder, body), recorded, 'order')))
    return { outcome: 'unchanged', detail: '' };
  await service.updateOrder(id, body);
  return { outcome: 'updated', detail: '' };
};

/** The interface has no update of refunds: one that is held with another content is for a person to decide. */
const sendRefund = async ({ service }: ClosePorts, { stored, body }: Parcel): Promise<Answer> => {
  try {
    await service.createRefund(body as CreateRefundInput);
    return { outcome: 'created', detail: '' };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  const recorded = await service.showRefund(stored.sale.id, { provider: body.provider });
  const differences = compareRecord(accept(CreateRefund, body), recorded, 'refund').filter(
    ({ kind }) => kind === 'value',
  );
  if (differences.length === 0) return { outcome: 'unchanged', detail: '' };
  const fields = differences.map(({ field }) => field).join(', ');
  return { outcome: 'conflict', detail: `the service holds this refund with another ${fields}` };
};
