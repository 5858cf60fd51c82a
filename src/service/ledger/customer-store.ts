import type { AddressOnFile } from '../../contract/on-file.ts';
import type { ExemptionType } from '../../contract/scalars.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerRow, LedgerTables } from './tables.ts';

export type ExemptRegion = { readonly country: string; readonly state: string };

/** A buyer whose exemption the account has on file. Without regions the buyer is exempt everywhere. */
export type CustomerOnFile = {
  readonly customerId: string;
  readonly exemptionType: Exclude<ExemptionType, 'marketplace'>;
  readonly name: string;
  readonly exemptRegions: readonly ExemptRegion[];
  readonly address: Partial<AddressOnFile>;
};

/** What changes of a customer: the parts that are named, of the address as well. */
export type CustomerChanges = {
  readonly [Part in Exclude<keyof CustomerOnFile, 'customerId'>]?: CustomerOnFile[Part] | undefined;
};

export type CustomerStore = {
  /** `false` when the account already has a customer with this id. */
  readonly create: (accountId: number, customer: CustomerOnFile) => Promise<boolean>;
  readonly find: (accountId: number, customerId: string) => Promise<CustomerOnFile | undefined>;
  /**
   * Change the named parts in one step, so that of two changes at once both are made. Returns the customer as it is now,
   * `undefined` when there is none.
   */
  readonly update: (
    accountId: number,
    customerId: string,
    changes: CustomerChanges,
  ) => Promise<CustomerOnFile | undefined>;
  /** Returns the customer that was removed. */
  readonly remove: (accountId: number, customerId: string) => Promise<CustomerOnFile | undefined>;
  /** The ids, in order. */
  readonly list: (accountId: number) => Promise<readonly string[]>;
};

export const customerStore = (database: Database): CustomerStore => {
  const tables = database.tables<LedgerTables>();
  return {
    create: async (accountId, customer) => {
      const { numInsertedOrUpdatedRows } = await tables
        .insertInto('customers')
        .values(rowOf(accountId, customer))
        .onConflict((conflict) => conflict.columns(['account_id', 'customer_id']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    find: async (accountId, customerId) => {
      const row = await tables
        .selectFrom('customers')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('customer_id', '=', customerId)
        .executeTakeFirst();
      return row && customerOf(row);
    },
    update: async (accountId, customerId, changes) => {
      const row = await tables
        .updateTable('customers')
        // The id is repeated because an update has to set something.
        .set({ customer_id: customerId, ...columnsOf(changes) })
        .where('account_id', '=', accountId)
        .where('customer_id', '=', customerId)
        .returningAll()
        .executeTakeFirst();
      return row && customerOf(row);
    },
    remove: async (accountId, customerId) => {
      const row = await tables
        .deleteFrom('customers')
        .where('account_id', '=', accountId)
        .where('customer_id', '=', customerId)
        .returningAll()
        .executeTakeFirst();
      return row && customerOf(row);
    },
    list: async (accountId) => {
      const query = tables.selectFrom('customers').select('customer_id').where('account_id', '=', accountId);
      return (await query.orderBy('customer_id').execute()).map((row) => row.customer_id);
    },
  };
};

const ADDRESS = ['country', 'zip', 'state', 'city', 'street'] as const;

const rowOf = (accountId: number, customer: CustomerOnFile): CustomerRow => ({
  account_id: accountId,
  customer_id: customer.customerId,
  exemption_type: customer.exemptionType,
  name: customer.name,
  exempt_regions: JSON.stringify(customer.exemptRegions),
  country: customer.address.country ?? null,
  zip: customer.address.zip ?? null,
  state: customer.address.state ?? null,
  city: customer.address.city ?? null,
  street: customer.address.street ?? null,
});

const columnsOf = ({
  exemptionType,
  name,
  exemptRegions,
  address,
}: CustomerChanges): Partial<CustomerRow> => ({
  ...(exemptionType !== undefined && { exemption_type: exemptionType }),
  ...(name !== undefined && { name }),
  ...(exemptRegions !== undefined && { exempt_regions: JSON.stringify(exemptRegions) }),
  ...Object.fromEntries(ADDRESS.flatMap((part) => (address?.[part] ? [[part, address[part]]] : []))),
});

const customerOf = (row: CustomerRow): CustomerOnFile => ({
  customerId: row.customer_id,
  exemptionType: row.exemption_type,
  name: row.name,
  exemptRegions: JSON.parse(row.exempt_regions) as ExemptRegion[],
  address: Object.fromEntries(ADDRESS.flatMap((part) => (row[part] === null ? [] : [[part, row[part]]]))),
});
