import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sampleMerchant } from '../support/tieout.ts';

test('a service that was emptied of hundreds of records is filled again, and asked for nothing again', async () => {
  const merchant = await sampleMerchant();
  expect(await merchant.close()).toMatchObject({ code: 0, stderr: '' });
  const ledger = new DatabaseSync(join(merchant.folder, '.tieout', 'ledger.db'));
  expect(ledger.prepare('delete from transactions').run().changes).toBe(323);
  ledger.close();
  const healed = await merchant.close(['2026-10', '--json']);
  expect(healed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(healed.stdout)).toMatchObject({
    submissions: { created: 323, unchanged: 0, vanished: 323 },
    calculations: { asked: 0 },
  });
});
