import { accept } from '../contract/accept.ts';
import {
  CreateCustomer,
  type CreateCustomerInput,
  type Customer,
  UpdateCustomer,
  type UpdateCustomerInput,
} from '../contract/customer.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import { isKeepable } from '../contract/scalars.ts';
import type { CustomerOnFile, CustomerStore } from './ledger/customer-store.ts';

/** The customers of one account whose exemptions calculations know by their `customer_id`. */
export type CustomersOnFile = {
  readonly listCustomers: () => Promise<readonly string[]>;
  readonly showCustomer: (id: string) => Promise<Customer>;
  /** @throws {ServiceRefusal} 422 when there is one of this id */
  readonly createCustomer: (customer: CreateCustomerInput) => Promise<Customer>;
  readonly updateCustomer: (id: string, changes: UpdateCustomerInput) => Promise<Customer>;
  /** Answers the customer that was deleted. */
  readonly deleteCustomer: (id: string) => Promise<Customer>;
};

export const customersOnFile = (store: CustomerStore, accountId: number): CustomersOnFile => {
  const found = async (id: string): Promise<CustomerOnFile> => {
    // No id is of such text, and PostgreSQL cannot even be asked for one.
    const customer = isKeepable(id) ? await store.find(accountId, id) : undefined;
    if (customer === undefined) throw notFound(id);
    return customer;
  };
  return {
    listCustomers: () => store.list(accountId),
    showCustomer: async (id) => wired(await found(id)),
    createCustomer: async (input) => {
      const customer = onFile(accept(CreateCustomer, input));
      if (!(await store.create(accountId, customer))) {
        throw new ServiceRefusal(422, `customer ${customer.customerId} is already on file`);
      }
      return wired(customer);
    },
    updateCustomer: async (id, input) => {
      const changes = Object.entries(accept(UpdateCustomer, input)).filter(
        ([, value]) => value !== undefined,
      );
      const before = wired(await found(id));
      const customer = onFile({ ...before, ...Object.fromEntries(changes) });
      if (!(await store.replace(accountId, customer))) throw notFound(id);
      return wired(customer);
    },
    deleteCustomer: async (id) => {
      await found(id);
      const customer = await store.remove(accountId, id);
      if (customer === undefined) throw notFound(id);
      return wired(customer);
    },
  };
};

const notFound = (id: string): ServiceRefusal => new ServiceRefusal(404, `no customer ${id} is on file`);

const onFile = (customer: CreateCustomer | Customer): CustomerOnFile => ({
  customerId: customer.customer_id,
  exemptionType: customer.exemption_type,
  name: customer.name,
  exemptRegions: customer.exempt_regions ?? [],
  address: {
    ...(customer.country && { country: customer.country }),
    ...(customer.state && { state: customer.state }),
    ...(customer.zip && { zip: customer.zip }),
    ...(customer.city && { city: customer.city }),
    ...(customer.street && { street: customer.street }),
  },
});

const wired = ({ customerId, exemptionType, name, exemptRegions, address }: CustomerOnFile): Customer => ({
  customer_id: customerId,
  exemption_type: exemptionType,
  exempt_regions: [...exemptRegions],
  name,
  country: address.country ?? null,
  state: address.state ?? null,
  zip: address.zip ?? null,
  city: address.city ?? null,
  street: address.street ?? null,
});
