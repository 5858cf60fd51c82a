import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { LEDGER_MIGRATIONS } from '../../src/ledger/migrations.ts';
import { send } from '../contract/send.ts';
import { onPostgres } from '../support/databases.ts';
import { addSeller, startServer } from '../support/serving.ts';
import { launch } from '../support/tieout.ts';
import { steadyLoad } from './steady-load.ts';

/** The steps that a later version could have. */
const NEWER = {
  ...LEDGER_MIGRATIONS,
  steps: [
    ...LEDGER_MIGRATIONS.steps,
    {
      name: '9999-notes',
      up: async ({ tables, text }) => {
        await tables.schema.alterTable('transactions').addColumn('note', text).execute();
        await tables.schema.alterTable('accounts').addColumn('note', text).execute();
        await sql`create table notes (note ${text})`.execute(tables);
      },
    },
  ],
} satisfies typeof LEDGER_MIGRATIONS;

const READER_MS = 2_500;

describe('a newer version that brings the tables up to date while an older one serves', () =>
  onPostgres(({ newUrl }) => {
    it('waits for a long reading, and fails no request', async () => {
      const ledger = await newUrl();
      const key = await addSeller(ledger, ['CA']);
      const older = await startServer(ledger);
      onTestFinished(() => void older.child.kill('SIGKILL'));
      const load = steadyLoad(older.url, key);
      await expect.poll(load.answered, { timeout: 30_000 }).toBeGreaterThan(50);

      const reading = await connect(ledger);
      const newer = await connect(ledger);
      const read = reading
        .tables<{ transactions: { amount: number } }>()
        .transaction()
        .execute(async (transaction) => {
          await transaction.selectFrom('transactions').select('amount').execute();
          await pause(READER_MS);
        });
      await pause(100);
      let isRead = false;
      void read.then(() => {
        isRead = true;
      });
      await migrate(newer, NEWER);
      expect(isRead).toBe(true);
      const before = load.answered();
      await expect.poll(load.answered, { timeout: 30_000 }).toBeGreaterThan(before + 50);

      const outcomes = await load.stop();
      expect(outcomes.filter(({ status }) => status !== 201)).toEqual([]);
      const { rows } = await sql<{ notes: number }>`
        select count(*) as notes from transactions where note is null`.execute(newer.tables());
      expect(rows[0]?.notes).toBe(outcomes.length);
      const [{ id } = { id: '' }] = outcomes;
      const shown = await send(`${older.url}transactions/orders/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(shown.status).toBe(200);
      expect(shown.text).not.toContain('note');
      await Promise.all([reading.close(), newer.close()]);

      const olderAgain = await launch(['serve', '--port', '0', '--ledger', ledger]);
      expect(olderAgain.code).toBe(78);
      expect(olderAgain.stderr).toContain('E_DATABASE_NEWER');
    });
  }));
