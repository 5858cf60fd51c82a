import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openConnection } from './http-load.ts';
import { print, type Served } from './served.ts';

const CONCURRENCY = 16;
const SHOWN_MAX = 5_000;

/** Where the sales of a load go, and what they are of. */
export const to = {
  to_country: 'US',
  to_zip: '90404',
  to_state: 'CA',
  to_city: 'Santa Monica',
};
export const line_items = [10, 20, 30].map((unit_price) => ({
  quantity: 1,
  unit_price,
  product_tax_code: '20010',
}));
const idOf = (number: number) => `soak-${number}`;
const orderOf = (number: number) => ({
  ...to,
  transaction_id: idOf(number),
  transaction_date: `2026-10-${String(1 + (number % 31)).padStart(2, '0')}`,
  amount: 65,
  shipping: 5,
  sales_tax: 6,
  line_items,
});
const refundOf = (number: number, refund: number) => ({
  ...to,
  transaction_id: `soak-refund-${refund}`,
  transaction_reference_id: idOf(number),
  transaction_date: '2026-10-31',
  amount: -10,
  shipping: 0,
  sales_tax: -1,
});

/** Every fourth order is never deleted, so that it can be paid back. */
const isPaidBack = (number: number): boolean => number % 4 === 0;

type Call = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** Which order it writes, and the state after that. */
  readonly write?: { readonly number: number; readonly state: number | null };
};

const READS: readonly (Omit<Call, 'method' | 'status'> & { readonly share: number })[] = [
  {
    name: 'calculate',
    path: 'taxes',
    body: { ...to, shipping: 5, line_items, amount: 60 },
    share: 0.4,
  },
  { name: 'rates', path: 'rates/90404', share: 0.04 },
  { name: 'nexus', path: 'nexus/regions', share: 0.005 },
  { name: 'categories', path: 'categories', share: 0.02 },
  { name: 'list', path: 'transactions/orders?transaction_date=2026-10-15', share: 0.002 },
  { name: 'list refunds', path: 'transactions/refunds?transaction_date=2026-10-31', share: 0.001 },
];

/**
 * Sixteen connections that calculate, look up, create, show, change, delete, pay back and list, so many requests a
 * second together, until they are stopped. What was acknowledged is remembered.
 */
export const mixedLoad = async (served: Served, perSecond: number) => {
  /** The cents of sales tax that were last acknowledged for an order, by its number; `null` when it was deleted. */
  const acknowledged: (number | null | undefined)[] = [];
  /** Orders with a write whose answer never came: either state is right. */
  const uncertain = new Set<number>();
  const busy = new Set<number>();
  const problems = new Map<string, number>();
  const answered = new Map<string, number>();
  let created = 0;
  let paidBack = 0;
  let isOver = false;

  const recall = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

  /** An order that exists and that no one is writing at the moment. */
  const someOrder = (): number | undefined => {
    const number = Math.floor(Math.random() * acknowledged.length);
    return typeof acknowledged[number] === 'number' && !busy.has(number) ? number : undefined;
  };

  const nextCall = (): Call => {
    let dice = Math.random();
    for (const { share, ...read } of READS) {
      if (dice < share) return { ...read, method: read.body === undefined ? 'GET' : 'POST', status: 200 };
      dice -= share;
    }
    const number = someOrder();
    if (number === undefined || dice < 0.27) {
      const write = { number: created, state: 600 };
      created += 1;
      const body = orderOf(write.number);
      return { name: 'create', method: 'POST', path: 'transactions/orders', body, status: 201, write };
    }
    const path = `transactions/orders/${idOf(number)}`;
    if (dice < 0.42) return { name: 'show', method: 'GET', path, status: 200 };
    if (dice < 0.5) {
      const state = Math.floor(Math.random() * 5_000);
      const body = { sales_tax: state / 100 };
      return { name: 'update', method: 'PUT', path, body, status: 200, write: { number, state } };
    }
    if (!isPaidBack(number))
      return { name: 'delete', method: 'DELETE', path, status: 200, write: { number, state: null } };
    paidBack += 1;
    const body = refundOf(number, paidBack);
    return { name: 'refund', method: 'POST', path: 'transactions/refunds', body, status: 201 };
  };

  const worker = async ({ ask }: Connection): Promise<void> => {
    while (!isOver) {
      const { name, write, status, ...asked } = nextCall();
      if (write) busy.add(write.number);
      try {
        const answer = await ask(asked);
        recall(answered, name);
        if (answer.status !== status) recall(problems, `${name} answered ${answer.status}`);
        else if (write) acknowledged[write.number] = write.state;
      } catch {
        if (write) uncertain.add(write.number);
        if (!isOver) recall(problems, `${name} was not answered`);
      }
      if (write) busy.delete(write.number);
      await pause((CONCURRENCY * 1_000 * Math.random() * 2) / perSecond);
    }
  };

  const connections = await Promise.all(
    Array.from({ length: CONCURRENCY }, () => openConnection(served.url, served.key)),
  );
  const workers = connections.map(worker);

  return {
    answered,
    problems,
    /** Let no worker ask again. What it is waiting for may never be answered. */
    stop: () => {
      isOver = true;
    },
    /** When the last worker has heard what it was waiting for, or that it will not. */
    stopped: async () => {
      await Promise.all(workers);
      for (const { end } of connections) end();
    },
    /** Look for every acknowledged write after a restart; how many are missing or different. */
    lostWrites: async (again: Served): Promise<number> => {
      const { ask, end } = await openConnection(again.url, again.key);
      const { text } = await ask({ method: 'GET', path: 'transactions/orders' });
      const kept = new Set((JSON.parse(text) as { orders: string[] }).orders);
      let lost = 0;
      const certain = [...acknowledged.entries()].filter(([number]) => !uncertain.has(number));
      for (const [number, state] of certain) {
        if (state !== undefined && kept.has(idOf(number)) !== (state !== null)) lost += 1;
      }
      // The content of those that were written last, which a crash would take first.
      const changed = certain.filter(([, state]) => typeof state === 'number').slice(-SHOWN_MAX);
      for (const [number, state] of changed) {
        const shown = await ask({ method: 'GET', path: `transactions/orders/${idOf(number)}` });
        const { order } = JSON.parse(shown.text) as { order?: { sales_tax: string } };
        if (Math.round(Number(order?.sales_tax) * 100) !== state) lost += 1;
      }
      end();
      print(
        `after the restart: ${certain.length} orders looked for, ${changed.length} of them read; ${lost} wrong`,
      );
      return lost;
    },
  };
};
