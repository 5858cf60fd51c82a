import type { HttpCall, HttpReply } from '../../src/client/transport.ts';

/** What the processes of one life and their service have heard of each other, in its order. */
export type CallEvent =
  /** A request for a calculation was answered. */
  | { readonly what: 'answered'; readonly body: string }
  /** A record was sent, or refused. */
  | { readonly what: 'sent' | 'refused'; readonly record: string; readonly body: string }
  /** A run has come to its end, or was cut off. */
  | { readonly what: 'ended' | 'cut off' };

/** Watches the calls of one run: what it asks and sends again, and whether its intents are stored. */
export type CallWitness = {
  readonly reached: (call: HttpCall) => void;
  readonly heard: (call: HttpCall, reply: HttpReply) => void;
  /** A stage of the run begins. */
  readonly stage: (name: string) => void;
  readonly over: (how: 'ended' | 'cut off') => void;
  readonly wrong: () => readonly string[];
};

/** The last so many answers that a run has heard before it was cut off need not be kept. */
type AtRisk = number;

/**
 * @param events those of the life so far, in which the ones of this run are put down
 * @param writes how often something in the workspace was changed for good
 */
export const callWitness = (events: CallEvent[], atRisk: AtRisk, writes: () => number): CallWitness => {
  const wrong: string[] = [];
  const before = learned(events, atRisk);
  const answered = new Set<string>();
  let stage = '';
  let writesBefore = 0;

  const asked = (body: string): void => {
    if (answered.has(body)) wrong.push(`asked twice in one run: ${body}`);
    if (before.kept.has(body)) wrong.push(`asked though the answer had to be kept: ${body}`);
  };
  const sent = (method: string, record: string, body: string): void => {
    if (method === 'POST' && before.held.get(record) === body)
      wrong.push(`sent though it was held: ${record}`);
    if (stage === 'submit' && !before.sent.has(body) && writes() === writesBefore)
      wrong.push(`sent before the workspace was given an intent: ${record}`);
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
    stage: (name) => {
      stage = name;
      writesBefore = writes();
    },
    over: (what) => events.push({ what }),
    wrong: () => wrong,
  };
};

const recordOf = (path: string, body: string): string =>
  `${path.includes('orders') ? 'order' : 'refund'} ${JSON.parse(body).transaction_id}`;

/** What a run that begins now may not ask or send again, and what was sent before it. */
const learned = (events: readonly CallEvent[], atRisk: AtRisk) => {
  const kept = new Set<string>();
  const sent = new Set<string>();
  const held = new Map<string, string>();
  let answers: string[] = [];
  let last = new Map<string, string>();
  for (const event of events) {
    if (event.what === 'answered') answers.push(event.body);
    else if (event.what === 'sent') {
      sent.add(event.body);
      held.delete(event.record);
      last.set(event.record, event.body);
    } else if (event.what === 'refused') last.delete(event.record);
    else {
      const isEnd = event.what === 'ended';
      for (const body of answers.slice(0, isEnd ? answers.length : -atRisk)) kept.add(body);
      if (isEnd) for (const [record, body] of last) held.set(record, body);
      if (isEnd) last = new Map();
      answers = [];
    }
  }
  return { kept, sent, held };
};
