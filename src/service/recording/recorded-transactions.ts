import { accept } from '../../contract/accept.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import { TransactionId } from '../../contract/scalars.ts';
import {
  CreateOrder,
  CreateRefund,
  type DeletedTransaction,
  ListingQuery,
  type ListingQueryInput,
  type Order,
  ProviderQuery,
  type ProviderQueryInput,
  UpdateOrder,
  UpdateRefund,
} from '../../contract/transaction.ts';
import { addDays, startOfUtcDay } from '../../kernel/calendar.ts';
import type { TaxContent } from '../content/tax-content.ts';
import type { Account } from '../ledger/account.ts';
import type { TransactionKind } from '../ledger/tables.ts';
import type { Reading, TransactionKey, TransactionStore } from '../ledger/transaction-store.ts';
import { apiVersionInForce, rulesOfVersion } from './api-versions.ts';
import { type Changes, type Draft, draftOf, providerOf, withChanges } from './draft.ts';
import { answerOf, recordOf } from './record.ts';
import { RECORDING_RULES, type Recording } from './recording-rules.ts';

/** Orders or refunds of one account: what the service does with either is the same but for sign and schema. */
export type RecordedTransactions = {
  readonly create: (input: unknown) => Promise<Order>;
  readonly show: (id: string, query?: ProviderQueryInput) => Promise<Order>;
  readonly update: (id: string, input: unknown) => Promise<Order>;
  readonly remove: (id: string, query?: ProviderQueryInput) => Promise<DeletedTransaction>;
  readonly list: (query: ListingQueryInput) => Promise<readonly string[]>;
};

const SCHEMAS = {
  order: { create: CreateOrder, update: UpdateOrder },
  refund: { create: CreateRefund, update: UpdateRefund },
} as const;

/** A change is merged into what was read; when somebody else was quicker it is read and merged again. */
const UPDATE_ATTEMPTS_MAX = 100;

export const recordedTransactions = (options: {
  readonly kind: TransactionKind;
  readonly store: TransactionStore;
  readonly account: () => Promise<Account>;
  readonly content: TaxContent;
  /** The version of the interface that a request names, if it does. */
  readonly apiVersion?: string | undefined;
}): RecordedTransactions => {
  const { kind, store, content } = options;

  const recordFrom = (account: Account, draft: Draft): Order =>
    checkedRecord(
      { kind, draft, account, content },
      apiVersionInForce(options.apiVersion, account.apiVersion),
    );

  const keyOf = async (id: string, named: { readonly provider?: string | undefined }) => {
    const { id: accountId } = await options.account();
    return { accountId, kind, provider: providerOf(named), transactionId: id };
  };

  const readingOf = async (key: TransactionKey): Promise<Reading> => {
    const isPossible = TransactionId.safeParse(key.transactionId).success;
    const reading = isPossible ? await store.find(key) : undefined;
    if (reading === undefined) throw notFound(key);
    return reading;
  };

  return {
    create: async (input) => {
      const draft: Draft = accept(SCHEMAS[kind].create, input);
      const record = recordFrom(await options.account(), draft);
      if (!(await store.create(kind, record))) {
        throw new ServiceRefusal(422, 'Provider tranx already imported for your user account');
      }
      return answerOf(record);
    },
    show: async (id, query) => {
      const { transaction } = await readingOf(await keyOf(id, accept(ProviderQuery, query)));
      return answerOf(transaction);
    },
    update: async (id, input) => {
      const changes: Changes = accept(SCHEMAS[kind].update, input);
      const account = await options.account();
      const key = await keyOf(id, changes);
      for (let attempt = 0; attempt < UPDATE_ATTEMPTS_MAX; attempt += 1) {
        const { transaction, revision } = await readingOf(key);
        const record = recordFrom(account, withChanges(draftOf(transaction), changes));
        if (await store.replace(kind, record, revision)) return answerOf(record);
      }
      throw new ServiceRefusal(503, `${kind} ${id} is being changed by too many callers at once`);
    },
    remove: async (id, query) => {
      const key = await keyOf(id, accept(ProviderQuery, query));
      await readingOf(key);
      if (!(await store.remove(key))) throw notFound(key);
      return { transaction_id: id, user_id: key.accountId, provider: key.provider };
    },
    list: async (query) => {
      const { id: accountId } = await options.account();
      return store.listIds({ accountId, kind, ...spanOf(accept(ListingQuery, query)) });
    },
  };
};

/** A record that satisfies every rule of the version in force. @throws {ServiceRefusal} */
const checkedRecord = (recording: Recording, version: string): Order => {
  for (const rule of [...RECORDING_RULES, ...rulesOfVersion(version)]) rule(recording);
  return recordOf(recording.kind, recording.account.id, recording.draft);
};

/** One day, or the days of a range with both ends, in UTC; all time when none is named. */
const spanOf = ({ transaction_date: day, ...query }: ListingQuery) => {
  const first = day ?? query.from_transaction_date;
  const last = day ?? query.to_transaction_date;
  return {
    provider: providerOf(query),
    ...(first !== undefined && { from: startOfUtcDay(first) }),
    ...(last !== undefined && { before: startOfUtcDay(addDays(last, 1)) }),
  };
};

const notFound = ({ kind, transactionId, provider }: TransactionKey): ServiceRefusal =>
  new ServiceRefusal(404, `no ${kind} ${transactionId} is recorded for provider ${provider}`);
