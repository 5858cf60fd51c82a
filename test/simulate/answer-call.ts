import type { HttpCall, HttpReply } from '../../src/client/transport.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { wireTax } from '../../src/contract/wire-tax.ts';
import { wireTransaction } from '../../src/contract/wire-transaction.ts';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';

/** Answer a call as the server does: the real service, and its answers and refusals as they stand on the wire. */
export const answerCall = async (service: EmbeddedTaxService, call: HttpCall): Promise<HttpReply> => {
  try {
    return { status: 200, text: JSON.stringify(await bodyOf(service, call)) };
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error;
    return { status: error.status, text: JSON.stringify(error.body) };
  }
};

const bodyOf = async (service: EmbeddedTaxService, call: HttpCall): Promise<object> => {
  const { pathname, searchParams } = new URL(call.path, 'http://simulated/');
  const query = Object.fromEntries(searchParams);
  const body = call.body === undefined ? undefined : JSON.parse(call.body);
  const [, , kind, encoded = ''] = pathname.split('/');
  const id = decodeURIComponent(encoded);
  const what = `${call.method} ${id === '' ? pathname : `/transactions/${kind}/:id`}`;
  switch (what) {
    case 'POST /taxes':
      return { tax: wireTax(await service.calculateTax(body)) };
    case 'GET /transactions/orders':
      return { orders: await service.listOrders(query) };
    case 'GET /transactions/orders/:id':
      return { order: wireTransaction(await service.showOrder(id, query)) };
    case 'POST /transactions/orders':
      return { order: wireTransaction(await service.createOrder(body)) };
    case 'PUT /transactions/orders/:id':
      return { order: wireTransaction(await service.updateOrder(id, body)) };
    case 'GET /transactions/refunds':
      return { refunds: await service.listRefunds(query) };
    case 'GET /transactions/refunds/:id':
      return { refund: wireTransaction(await service.showRefund(id, query)) };
    case 'POST /transactions/refunds':
      return { refund: wireTransaction(await service.createRefund(body)) };
    default:
      throw new Error(`a close has never made this call: ${what}`);
  }
};
