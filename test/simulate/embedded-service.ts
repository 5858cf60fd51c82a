import { ServiceRefusal } from '../../src/contract/refusal.ts';
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
    witness.reached(call);
    try {
      const result = await work();
      witness.heard(call, { status: 200, text: '' });
      return result;
    } catch (error) {
      if (error instanceof ServiceRefusal)
        witness.heard(call, { status: error.status, text: JSON.stringify(error.body) });
      throw error;
    }
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
