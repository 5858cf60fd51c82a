import type { HttpCall, HttpReply } from '../../src/client/transport.ts';
import { digestOf } from '../../src/kernel/digest.ts';
import type { SimulatedDatabase } from './simulated-database.ts';

/** Watches the calls of one run against what the workspace holds on its disk. */
export type CallWitness = {
  readonly reached: (call: HttpCall) => Promise<void>;
  readonly heard: (call: HttpCall, reply: Pick<HttpReply, 'status'>) => void;
  readonly wrong: () => readonly string[];
};

const CHANNEL = 'desk';

export const callWitness = async (workspace: SimulatedDatabase): Promise<CallWitness> => {
  const wrong: string[] = [];
  const answered = new Set<string>();
  const held = new Set(
    (await workspace.rows(`select key, body_digest from submission where state = 'held'`)).map(
      ({ key, body_digest }) => `${key} ${body_digest}`,
    ),
  );
  const isKept = async (body: string): Promise<boolean> =>
    (await workspace.rows('select 1 from calculation where request = ?', body)).length > 0;
  const isIntended = async (key: string, id: string): Promise<boolean> =>
    (
      await workspace.rows(
        `select 1 from submission where key = ? and state = 'sending'
         union select 1 from refund_adjustment where id = ? and state = 'sending'`,
        key,
        id,
      )
    ).length > 0;

  return {
    reached: async ({ method, path, body }) => {
      if (body === undefined) return;
      if (path === 'taxes') {
        if (answered.has(body)) wrong.push(`asked twice in one run: ${body}`);
        if (await isKept(body)) wrong.push(`asked though the answer was kept: ${body}`);
        return;
      }
      const sent = JSON.parse(body);
      const key = `${CHANNEL}/${path.includes('orders') ? 'order' : 'refund'}/${sent.transaction_id}`;
      if (method === 'POST' && held.has(`${key} ${digestOf(sent)}`))
        wrong.push(`sent though it was held: ${key}`);
      if (!(await isIntended(key, sent.transaction_id))) wrong.push(`sent without its intent stored: ${key}`);
    },
    heard: ({ path, body }, { status }) => {
      if (path === 'taxes' && body !== undefined && status < 300) answered.add(body);
    },
    wrong: () => wrong,
  };
};
