import type { TaxService } from '../../src/contract/tax-service.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';
import type { CallWitness } from './call-witness.ts';

/** The service in the process of the close: what it is asked and sent is seen, and it ends with the process. */
export const embeddedService = (service: EmbeddedTaxService, witness: CallWitness): TaxService => {
  const seen = async <Result>(
    method: 'POST' | 'PUT',
    path: string,
    sent: object,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const call = { method, path, body: JSON.stringify(sent) };
    await witness.reached(call);
    const result = await work();
    witness.heard(call, { status: 200 });
    return result;
  };
  return {
    ...service,
    calculateTax: (request) => seen('POST', 'taxes', request, () => service.calculateTax(request)),
    createOrder: (order) => seen('POST', 'transactions/orders', order, () => service.createOrder(order)),
    updateOrder: (id, changes) =>
      seen('PUT', 'transactions/orders', { ...changes, transaction_id: id }, () =>
        service.updateOrder(id, changes),
      ),
    createRefund: (refund) =>
      seen('POST', 'transactions/refunds', refund, () => service.createRefund(refund)),
  };
};
