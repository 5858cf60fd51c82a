import type { Generated } from 'kysely';
import type { ExemptionType } from '../../contract/scalars.ts';
import type { TransactionKind } from '../../contract/transaction.ts';

/**
 * The rows of the ledger as they are stored. Amounts are ten-thousandths of a dollar (Price), points in time are
 * milliseconds (Instant), lists and addresses of accounts are JSON.
 */
export type LedgerTables = {
  accounts: AccountRow;
  keys: KeyRow;
  customers: CustomerRow;
  transactions: TransactionRow;
  usage: UsageRow;
  transaction_day: TransactionDayRow;
};

export type AccountRow = {
  id: Generated<number>;
  name: string;
  address: string | null;
  nexus: string;
  buyer_use: 'business' | 'personal' | null;
  api_version: string;
  plan_limit: number | null;
  /** 1 when calculations beyond the plan are refused, otherwise 0. */
  block_over_plan: number;
  created_at: number;
};

export type KeyRow = {
  id: Generated<number>;
  account_id: number;
  hash: string;
  hint: string;
  created_at: number;
  revoked_at: number | null;
};

export type CustomerRow = {
  account_id: number;
  customer_id: string;
  exemption_type: Exclude<ExemptionType, 'marketplace'>;
  name: string;
  exempt_regions: string;
  country: string | null;
  zip: string | null;
  state: string | null;
  city: string | null;
  street: string | null;
};

export type TransactionRow = {
  account_id: number;
  kind: TransactionKind;
  provider: string;
  transaction_id: string;
  transaction_date: number;
  transaction_reference_id: string | null;
  exemption_type: ExemptionType | null;
  customer_id: string | null;
  from_country: string | null;
  from_zip: string | null;
  from_state: string | null;
  from_city: string | null;
  from_street: string | null;
  to_country: string | null;
  to_zip: string | null;
  to_state: string | null;
  to_city: string | null;
  to_street: string | null;
  amount: number;
  shipping: number;
  sales_tax: number;
  line_items: string;
  /** Counts the changes, so that a change based on an outdated reading is detected. */
  revision: number;
};

export type UsageRow = { account_id: number; month: string; calculations: number };

/** A mark that changes with every change of a transaction on the day, in UTC since 1970, and how many there were. */
export type TransactionDayRow = { account_id: number; day: number; mark: string; writes: number };
