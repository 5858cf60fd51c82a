import type { HttpCall } from '../../src/client/transport.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { wireSent } from '../../src/contract/wire.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';
import type { CallWitness } from './call-witness.ts';

/**
 * The service in the process of the close: what it is sent is seen, and it ends with the process. What it is asked costs
 * nothing and may be asked again.
 */
export const embeddedService = (service: EmbeddedTaxService, witness: CallWitness): TaxService => {
  const heard = (call: HttpCall, error: unknown): void => {
    if (error instanceof ServiceRefusal)
      witness.heard(call, { status: error.status, text: JSON.stringify(error.body) });
    else witness.heard(call, { status: 200, text: '' });
  };
  return {
    ...service,
    createMany: async (transactions) => {
      const calls = transactions.map(({ kind, transaction }): HttpCall => {
        const body = JSON.stringify(wireSent(transaction));
        return { method: 'POST', path: `transactions/${kind}s`, body };
      });
      for (const call of calls) witness.reached(call);
      const outcomes = await service.createMany(transactions);
      for (const [index, call] of calls.entries()) heard(call, outcomes[index]);
      return outcomes;
    },
    updateOrder: async (id, changes) => {
      const body = JSON.stringify({ ...wireSent(changes), transaction_id: id });
      const call: HttpCall = { method: 'PUT', path: 'transactions/orders', body };
      witness.reached(call);
      try {
        const order = await service.updateOrder(id, changes);
        heard(call, undefined);
        return order;
      } catch (error) {
        if (error instanceof ServiceRefusal) heard(call, error);
        throw error;
      }
    },
  };
};
