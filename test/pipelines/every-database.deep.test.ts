import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/databases.ts';
import { filesOf, sampleMerchant } from '../support/tieout.ts';

onEveryDatabase(({ newUrl }) => {
  test('the sample month comes out with the same bytes as on the default databases, and a second run changes nothing', async () => {
    const plain = await sampleMerchant();
    expect((await plain.close()).code).toBe(0);

    const merchant = await sampleMerchant();
    const databases = `databases: { ledger: "${await newUrl()}" }\n`;
    await writeFile(merchant.config, `${await readFile(merchant.config, 'utf8')}\n${databases}`);
    const first = await merchant.close();
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await filesOf(merchant.output)).toEqual(await filesOf(plain.output));

    const second = await merchant.close();
    expect(second.stdout).toContain('files in the folder; nothing has changed since they were written');
    const again = await merchant.close(['2026-10', '--recompute']);
    expect(again.stdout).toContain('submit: 0 created, 0 updated, 323 unchanged');
    expect(again.stdout).toContain('files in the folder, unchanged');
  });
});
