import { expect, test } from 'vitest';
import { ended, serving } from '../cli/serving.ts';
import { ORDER } from '../contract/samples.ts';
import { send } from '../contract/send.ts';
import { seeded } from '../hostile/random.ts';
import { addSeller } from '../support/serving.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { DAMAGES, damageFile } from './damage-file.ts';

/** Decides where a damage falls. */
const SEED = 1;
const ORDERS = 60;

/** Damage that no reader can miss; a flipped bit may be in a place that no one reads. */
const IS_ALWAYS_FOUND = new Set(['overwrites the middle', 'cuts the file within a page', 'cuts whole pages']);

type Line = {
  readonly level: number;
  readonly err?: {
    readonly code?: string;
    readonly message?: string;
    readonly nextStep?: string;
  };
};

/** Ask for every kind of answer: records, lists, calculations, new records. */
const asked = (url: string, key: string) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    send(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const get = (path: string) => send(`${url}${path}`, { headers });
  return { post, get };
};

test.each(Object.keys(DAMAGES))(
  'a server whose books a disk damages (it %s) says so, with the way out, and lives on',
  { timeout: 120_000 },
  async (how) => {
    let refused = 0;
    const path = `${await temporaryFolder()}/ledger.db`;
    const key = await addSeller(`sqlite:${path}`, ['CA']);
    const order = (id: number) => ({ ...ORDER, transaction_id: `order-${id}` });
    const first = await serving(['--ledger', `sqlite:${path}`]);
    for (let id = 0; id < ORDERS; id += 1)
      expect((await asked(first.url, key).post('transactions/orders', order(id))).status).toBe(201);
    expect(await ended(first.child)).toBe(0);
    // Everything is in the file by now, and nothing of it in the memory of this one.
    const { url, child, log } = await serving(['--ledger', `sqlite:${path}`]);
    const { post, get } = asked(url, key);
    damageFile(path, how, seeded(SEED));
    const answers = [
      await get('transactions/orders'),
      await post('taxes', ORDER),
      await get('nexus/regions'),
      await get('customers'),
    ];
    for (let id = 0; id < ORDERS; id += 7) {
      answers.push(await get(`transactions/orders/order-${id}`));
      answers.push(await post('transactions/orders', order(ORDERS + id)));
    }
    for (const { status, text } of answers) {
      if (status < 500) continue;
      refused += 1;
      expect({ how, text }).toEqual({
        how,
        text: expect.stringMatching(/cannot use its database/),
      });
    }
    expect(child.exitCode).toBeNull();
    expect((await get('../healthz')).status).toBe(200);
    const lines = log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
    for (const { err } of lines.filter(({ level }) => level >= 40))
      expect({ how, err }).toEqual({
        how,
        err: expect.objectContaining({
          code: expect.stringMatching(/^E_DATABASE_/),
          message: expect.stringContaining(path),
          nextStep: expect.stringMatching(/put a backup back|Check the disk/),
        }),
      });
    expect([how, [0, 65, 69].includes(await ended(child)), log()]).toEqual([
      how,
      true,
      expect.not.stringMatching(/defect|E_DEFECT/i),
    ]);
    if (IS_ALWAYS_FOUND.has(how)) expect(refused).toBeGreaterThan(0);
  },
);
