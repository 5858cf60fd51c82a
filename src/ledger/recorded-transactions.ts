import type { TaxContent } from '../content/tax-content.ts';
import { accept, acceptTransaction, readChanges } from '../contract/accept.ts';
import { asRefusal, ServiceRefusal } from '../contract/refusal.ts';
import { TEXT_MAX, TRANSACTION_ID } from '../contract/scalars.ts';
import type { TaxService } from '../contract/tax-service.ts';
import {
  ListingQuery,
  ProviderQuery,
  type TransactionKind,
  type TransactionName,
} from '../contract/transaction.ts';
import { draftOf, wireSent } from '../contract/wire.ts';
import { addDays, startOfUtcDay } from '../kernel/calendar.ts';
import type { Account } from './account.ts';
import {
  answerOf,
  apiVersionInForce,
  type Draft,
  providerOf,
  RECORDING_RULES,
  RULES,
  recordOf,
  withChanges,
} from './record.ts';
import type { Reading, TransactionKey, TransactionStore } from './transaction-store.ts';

/** Orders and refunds of one account, which the service treats alike except for sign and schema. */
type RecordedTransactions = Pick<TaxService, 'createMany' | 'showMany' | 'list' | 'update' | 'remove'>;

/** A change is merged into what was read; if another caller was faster, it is read and merged again. */
const UPDATE_ATTEMPTS_MAX = 100;

export const recordedTransactions = (options: {
  readonly store: TransactionStore;
  readonly account: () => Promise<Account>;
  readonly content: TaxContent;
  /** The version of the interface that a request names, if any. */
  readonly apiVersion?: string | undefined;
}): RecordedTransactions => {
  const { store, content } = options;

  /** Return a function that builds the records of drafts which satisfy every rule. @throws {ServiceRefusal} */
  const recorder = (account: Account) => {
    const rules = [...RECORDING_RULES, ...RULES[apiVersionInForce(options.apiVersion)]];
    return (kind: TransactionKind, draft: Draft) => {
      const recording = { kind, draft, account, content };
      for (const rule of rules) rule(recording);
      return { kind, transaction: recordOf(kind, account.id, draft) };
    };
  };

  const readingsOf = async (names: readonly TransactionName[]): Promise<readonly (Reading | undefined)[]> => {
    const keyOf = keysIn((await options.account()).id);
    const possible = names.filter(({ id }) => isPossible(id));
    const readings = (await store.find(possible.map(keyOf))).values();
    return names.map(({ id }) => (isPossible(id) ? readings.next().value : undefined));
  };
  const readingOf = async (name: TransactionName): Promise<Reading> => {
    const [reading] = await readingsOf([name]);
    if (reading === undefined) throw notRecorded(name);
    return reading;
  };

  return {
    createMany: async (transactions) => {
      const record = recorder(await options.account());
      const outcomes = transactions.map((given) =>
        orRefusal(() => record(given.kind, acceptTransaction(given))),
      );
      const accepted = outcomes.flatMap((outcome) => (outcome instanceof ServiceRefusal ? [] : [outcome]));
      const created = (await store.create(accepted)).values();
      return outcomes.map((outcome) => {
        if (outcome instanceof ServiceRefusal) return outcome;
        return created.next().value === true ? answerOf(outcome.transaction) : duplicate();
      });
    },
    showMany: async (names) =>
      (await readingsOf(names)).map((reading) => reading && answerOf(reading.transaction)),
    update: async (kind, id, sent) => {
      const changes = readChanges(kind, wireSent(sent));
      const record = recorder(await options.account());
      for (let attempt = 0; attempt < UPDATE_ATTEMPTS_MAX; attempt += 1) {
        const { transaction, revision } = await readingOf({ kind, id, provider: changes.provider });
        const changed = record(kind, withChanges(draftOf(transaction), changes));
        if (await store.replace(changed, revision)) return answerOf(changed.transaction);
      }
      throw new ServiceRefusal(503, `${kind} ${id} is being changed by too many callers at once`);
    },
    remove: async (kind, id, query) => {
      const name = { kind, id, ...accept(ProviderQuery, query) };
      const { user_id, provider } = (await readingOf(name)).transaction;
      if (!(await store.remove({ account_id: user_id, kind, provider, transaction_id: id })))
        throw notRecorded(name);
      return { transaction_id: id, user_id, provider };
    },
    list: async (kind, query) => {
      const { id: account_id } = await options.account();
      return store.listIds({ account_id, kind, ...spanOf(accept(ListingQuery, query)) });
    },
  };
};

/** Whether a transaction can have this id. */
const isPossible = (id: string): boolean => id.length <= TEXT_MAX && TRANSACTION_ID.test(id);

/** Return the key of a name. Names have few providers, so each is read once. @throws {ServiceRefusal} 406, 422 */
const keysIn = (account_id: number) => {
  const providers = new Map<string | undefined, string>();
  return ({ kind, id, provider: named }: TransactionName): TransactionKey => {
    let provider = providers.get(named);
    if (provider === undefined) {
      provider = providerOf(accept(ProviderQuery, { provider: named }));
      providers.set(named, provider);
    }
    return { account_id, kind, provider, transaction_id: id };
  };
};

const orRefusal = <Result>(work: () => Result): Result | ServiceRefusal => {
  try {
    return work();
  } catch (error) {
    return asRefusal(error);
  }
};

/** Return the span of a listing: one day, or a range with both ends, in UTC; all time if none is named. */
const spanOf = ({ transaction_date: day, ...query }: ListingQuery) => {
  const first = day ?? query.from_transaction_date;
  const last = day ?? query.to_transaction_date;
  return {
    provider: providerOf(query),
    ...(first !== undefined && { from: startOfUtcDay(first) }),
    ...(last !== undefined && { before: startOfUtcDay(addDays(last, 1)) }),
  };
};

const duplicate = (): ServiceRefusal =>
  new ServiceRefusal(422, 'Provider tranx already imported for your user account');

export const notRecorded = ({ kind, id, provider }: TransactionName): ServiceRefusal =>
  new ServiceRefusal(404, `no ${kind} ${id} is recorded for provider ${providerOf({ provider })}`);
