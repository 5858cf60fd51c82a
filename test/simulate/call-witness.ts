import type { HttpCall, HttpReply } from '../../src/client/transport.ts';

/** What the processes of one life and their service have heard of each other, in its order. */
export type CallEvent =
  /** A request for a calculation was answered. */
  | { readonly what: 'answered'; readonly body: string }
  /** A record was sent, or refused. */
  | { readonly what: 'sent' | 'refused'; readonly record: string; readonly body: string }
  /** A run has come to its end, or was cut off. */
  | { readonly what: 'ended' | 'cut off' };

/** Watches the calls of one run: what it asks and sends again. */
export type CallWitness = {
  readonly reached: (call: HttpCall) => void;
  readonly heard: (call: HttpCall, reply: HttpReply) => void;
  readonly over: (how: 'ended' | 'cut off') => void;
  readonly wrong: () => readonly string[];
};

/** @param events those of the life so far, in which the ones of this run are put down */
export const callWitness = (events: CallEvent[]): CallWitness => {
  const wrong: string[] = [];
  const held = heldBefore(events);
  const answered = answeredBefore(events);

  const asked = (body: string): void => {
    if (answered.has(body)) wrong.push(`asked again: ${body}`);
  };
  const sent = (method: string, record: string, body: string): void => {
    if (method === 'POST' && held.get(record) === body) wrong.push(`sent though it was held: ${record}`);
    events.push({ what: 'sent', record, body });
  };
  return {
    reached: ({ method, path, body }) => {
      if (body === undefined) return;
      if (path === 'taxes') asked(body);
      else sent(method, recordOf(path, body), body);
    },
    heard: ({ path, body }, { status, text }) => {
      if (body === undefined) return;
      if (path === 'taxes' && status < 300) {
        answered.add(body);
        events.push({ what: 'answered', body });
      }
      if (
        path !== 'taxes' &&
        status >= 400 &&
        status < 500 &&
        status !== 429 &&
        !text.includes('already imported')
      )
        events.push({ what: 'refused', record: recordOf(path, body), body });
    },
    over: (what) => events.push({ what }),
    wrong: () => wrong,
  };
};

const recordOf = (path: string, body: string): string =>
  `${path.includes('orders') ? 'order' : 'refund'} ${JSON.parse(body).transaction_id}`;

/** The requests whose answers a run that came to its end has kept. */
const answeredBefore = (events: readonly CallEvent[]): Set<string> => {
  const last = events.findLastIndex(({ what }) => what === 'ended');
  return new Set(
    events.slice(0, last + 1).flatMap((event) => (event.what === 'answered' ? [event.body] : [])),
  );
};

/** The bodies of records that a run which came to its end has left at the service. */
const heldBefore = (events: readonly CallEvent[]): ReadonlyMap<string, string> => {
  const held = new Map<string, string>();
  let last = new Map<string, string>();
  for (const event of events) {
    if (event.what === 'sent') {
      held.delete(event.record);
      last.set(event.record, event.body);
    } else if (event.what === 'refused') last.delete(event.record);
    else if (event.what !== 'answered') {
      if (event.what === 'ended') for (const [record, body] of last) held.set(record, body);
      last = new Map();
    }
  }
  return held;
};
