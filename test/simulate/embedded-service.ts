import type { TaxService } from '../../src/contract/tax-service.ts';
import { wireSent } from '../../src/contract/wire-transaction.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';
import type { CallWitness } from './call-witness.ts';

/** The service in the process of the close: what it is asked and sent is seen, and it ends with the process. */
export const embeddedService = (service: EmbeddedTaxService, witness: CallWitness): TaxService => {
  const reached = async (method: 'POST' | 'PUT', path: string, sent: object) => {
    const call = { method, path, body: JSON.stringify(sent) };
    await witness.reached(call);
    return () => witness.heard(call, { status: 200 });
  };
  return {
    ...service,
    calculateTax: async (request) => {
      const heard = await reached('POST', 'taxes', request);
      const result = await service.calculateTax(request);
      heard();
      return result;
    },
    createMany: async (transactions) => {
      for (const { kind, transaction } of transactions)
        await reached('POST', `transactions/${kind}s`, wireSent(transaction));
      return service.createMany(transactions);
    },
    updateOrder: async (id, changes) => {
      await reached('PUT', 'transactions/orders', { ...wireSent(changes), transaction_id: id });
      return service.updateOrder(id, changes);
    },
  };
};
