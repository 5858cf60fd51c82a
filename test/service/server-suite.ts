import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { connect, type Database } from '../../src/database/connect.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { type ServerOptions, startTaxServer, type TaxServer } from '../../src/service/tax-server.ts';
import { type RawAnswer, send } from '../contract/send.ts';
import { NO_ADDRESS, type SuiteAccount } from '../contract/wire-calls.ts';
import { movableClock } from '../ledger/ledger-suite.ts';
import type { TestDatabases } from '../support/databases.ts';

const content = loadContent();

export type Asked = {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it is, where `body` would be written as JSON. */
  readonly text?: string | Buffer;
};

export type Answered = RawAnswer & { readonly json: Record<string, unknown> };

/** A connection to a server that sends bytes as they are, and all that came back when the server has ended it. */
export const rawConnection = (url: string) => {
  const { hostname, port } = new URL(url);
  const socket = connectTo({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const answer = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
  return { socket, answer };
};

/** An account of a suite with its customers. */
export const addAccount = async (
  { accounts, customers: known }: Ledger,
  name: string,
  { address, nexus = [], customers = [] }: SuiteAccount,
): Promise<number> => {
  const { id } = await accounts.ensure({ name, address, nexus });
  for (const customer of customers)
    await known.create(id, { ...NO_ADDRESS, ...customer, name: customer.customer_id });
  return id;
};

/** A server with a ledger of its own, for one suite. */
export const serverForSuite = ({ newUrl }: TestDatabases, options: Partial<ServerOptions> = {}) => {
  const clock = movableClock(Date.parse('2026-11-02T12:00:00Z'));
  let database: Database;
  let ledger: Ledger;
  let server: TaxServer;
  let accounts = 0;
  beforeAll(async () => {
    database = await connect(await newUrl());
    ledger = await openLedger(database, clock);
    server = await startTaxServer({ ledger, content, clock, host: '127.0.0.1', port: 0, ...options });
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });
  return {
    clock,
    ledger: () => ledger,
    url: () => server.url,
    newAccount: async (account: SuiteAccount) => {
      accounts += 1;
      const id = await addAccount(ledger, `a ${accounts}`, account);
      const { secret, key } = await ledger.keys.create(id);
      return { id, secret, keyId: key.id };
    },
    /** Something beside the interface, which needs no key and may be no JSON. */
    page: (path: string): Promise<RawAnswer> => send(new URL(path, server.url).toString()),
    ask: async (
      path: string,
      { method = 'GET', key, headers, body, text }: Asked = {},
    ): Promise<Answered> => {
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
      const answer = await send(server.url, {
        method,
        path: path.startsWith('/') ? path : `${new URL(server.url).pathname}${path}`,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: sent,
      });
      return { ...answer, json: JSON.parse(answer.text || '{}') as Record<string, unknown> };
    },
  };
};
