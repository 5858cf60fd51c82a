import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { onEveryDatabase } from '../support/databases.ts';

const LENGTH = 2_000;
const PROGRAM = fileURLToPath(new URL('./record-lists.ts', import.meta.url));

describe('of lists that a killed process was recording', () => {
  onEveryDatabase(({ newUrl }) => {
    it.each([0, 10, 25, 60])('each is there wholly or not at all, killed after %d ms', async (afterMs) => {
      const address = await newUrl();
      const child = spawn(process.execPath, [PROGRAM, address, String(LENGTH)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let answered = 0;
      child.stdout.on('data', (text: Buffer) => {
        answered += text.toString().split('\n').length - 1;
      });
      await once(child.stdout, 'data');
      await setTimeout(afterMs);
      child.kill('SIGKILL');
      await once(child, 'close');

      const database = await connect(address);
      const ledger = await openLedger(database);
      const { id: accountId } = await ledger.accounts.ensure({ name: 'killed', nexus: [] });
      const ids = await ledger.transactions.listIds({ accountId, kind: 'order', provider: 'api' });
      await database.close();
      const lists = Map.groupBy(ids, (id) => id.split('-')[0]);
      expect([...lists.values()].filter((list) => list.length !== LENGTH)).toEqual([]);
      expect(lists.size).toBeGreaterThanOrEqual(answered);
      expect(answered).toBeGreaterThan(0);
    });
  });
});
