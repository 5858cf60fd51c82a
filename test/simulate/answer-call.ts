import type { HttpCall, HttpReply } from '../../src/client/transport.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { ANSWERS } from '../../src/service/routes.ts';
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
  const query = Object.fromEntries(searchParams) as never;
  const body = (call.body === undefined ? undefined : JSON.parse(call.body)) as never;
  const [, , kind, encoded = ''] = pathname.split('/');
  const id = decodeURIComponent(encoded);
  const what = `${call.method} ${id === '' ? pathname : `/transactions/${kind}/:id`}`;
  const operation = CALLS[what];
  if (operation === undefined) throw new Error(`a close has never made this call: ${what}`);
  return ANSWERS[operation]?.(service, { id, query, body }) ?? {};
};

const CALLS: Readonly<Record<string, string>> = {
  'POST /taxes': 'calculateTax',
  'GET /transactions/orders': 'listOrders',
  'GET /transactions/orders/:id': 'showOrder',
  'POST /transactions/orders': 'createOrder',
  'PUT /transactions/orders/:id': 'updateOrder',
  'GET /transactions/refunds': 'listRefunds',
  'GET /transactions/refunds/:id': 'showRefund',
  'POST /transactions/refunds': 'createRefund',
};
