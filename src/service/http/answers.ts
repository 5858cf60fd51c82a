import { accept } from '../../contract/accept.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxService } from '../../contract/tax-service.ts';
import {
  CreateOrder,
  CreateRefund,
  ProviderQuery,
  type TransactionKind,
  UpdateOrder,
  UpdateRefund,
} from '../../contract/transaction.ts';
import { wireLocationRate, wireSummaryRate, wireTax } from '../../contract/wire-tax.ts';
import { wireDeleted, wireTransaction } from '../../contract/wire-transaction.ts';
import { notRecorded } from '../recording/recorded-transactions.ts';
import type { EmbeddedTaxService } from '../tax-service.ts';

/** A request of the interface: the parameter of its path, its query and its body, as they stand on the wire. */
export type Call = { readonly id: string; readonly query: never; readonly body: never };

/** By the operation's name: what is asked of the service, and the body of the answer. */
export const ANSWERS: Readonly<Record<string, (service: EmbeddedTaxService, call: Call) => Promise<object>>> =
  {
    listCategories: async (service) => ({ categories: await service.categories() }),
    calculateTax: async (service, { body }) => ({ tax: wireTax(await service.calculateTax(body)) }),
    showRates: async (service, { id, query }) => ({
      rate: wireLocationRate(await service.showRates(id, query)),
    }),
    listSummaryRates: async (service) => ({
      summary_rates: (await service.summaryRates()).map(wireSummaryRate),
    }),
    listNexusRegions: async (service) => ({ regions: await service.nexusRegions() }),
    listOrders: async (service, { query }) => ({ orders: await service.listOrders(query) }),
    showOrder: async (service, call) => ({ order: await shown(service, 'order', call) }),
    createOrder: async (service, { body }) => ({
      order: await created(service, 'order', accept(CreateOrder, body)),
    }),
    updateOrder: async (service, { id, body }) => ({
      order: wireTransaction(await service.updateOrder(id, accept(UpdateOrder, body))),
    }),
    deleteOrder: async (service, { id, query }) => ({
      order: wireDeleted(await service.deleteOrder(id, query)),
    }),
    listRefunds: async (service, { query }) => ({ refunds: await service.listRefunds(query) }),
    showRefund: async (service, call) => ({ refund: await shown(service, 'refund', call) }),
    createRefund: async (service, { body }) => ({
      refund: await created(service, 'refund', accept(CreateRefund, body)),
    }),
    updateRefund: async (service, { id, body }) => ({
      refund: wireTransaction(await service.updateRefund(id, accept(UpdateRefund, body))),
    }),
    deleteRefund: async (service, { id, query }) => ({
      refund: wireDeleted(await service.deleteRefund(id, query)),
    }),
    listCustomers: async (service) => ({ customers: await service.listCustomers() }),
    showCustomer: async (service, { id }) => ({ customer: await service.showCustomer(id) }),
    createCustomer: async (service, { body }) => ({ customer: await service.createCustomer(body) }),
    updateCustomer: async (service, { id, body }) => ({ customer: await service.updateCustomer(id, body) }),
    deleteCustomer: async (service, { id }) => ({ customer: await service.deleteCustomer(id) }),
  };

const created = async (
  service: TaxService,
  kind: TransactionKind,
  transaction: CreateRefund,
): Promise<object> => {
  const [outcome] = await service.createMany([{ kind, transaction }]);
  if (outcome === undefined || outcome instanceof ServiceRefusal) throw outcome;
  return wireTransaction(outcome);
};

const shown = async (service: TaxService, kind: TransactionKind, { id, query }: Call): Promise<object> => {
  const name = { kind, id, ...accept(ProviderQuery, query) };
  const [record] = await service.showMany([name]);
  if (record === undefined) throw notRecorded(name);
  return wireTransaction(record);
};
