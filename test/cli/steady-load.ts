import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ORDER } from '../contract/samples.ts';
import { send } from '../contract/send.ts';

export type Outcome = {
  readonly id: string;
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds?: number;
};

const PATIENCE_MS = 5_000;

/**
 * Clients that create orders one after the other, each over a connection that it keeps as long as the server lets it.
 * `stop` answers what became of each order.
 */
export const steadyLoad = (url: string, key: string, clients = 8) => {
  const outcomes: Outcome[] = [];
  let isOver = false;
  const client = async (name: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; !isOver; count += 1) {
      const id = `order-${name}-${count}`;
      const start = performance.now();
      const answer = send(`${url}transactions/orders`, {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...ORDER, transaction_id: id }),
      }).then(
        ({ status }): Outcome => ({ id, status, milliseconds: performance.now() - start }),
        (error: NodeJS.ErrnoException) => ({ id, error: error.code ?? error.message }),
      );
      const silence = pause(PATIENCE_MS, { id, error: 'no answer' }, { ref: false });
      const outcome = await Promise.race([answer, silence]);
      outcomes.push(outcome);
      // Where no one listens any more the client is done.
      if (outcome.error === 'ECONNREFUSED') break;
      if (outcome.error === 'no answer') agent.destroy();
    }
    agent.destroy();
  };
  const over = Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  return {
    answered: () => outcomes.length,
    stop: async (): Promise<readonly Outcome[]> => {
      isOver = true;
      await over;
      return outcomes;
    },
  };
};
