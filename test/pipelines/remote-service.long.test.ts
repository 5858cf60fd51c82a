import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servedLedger } from '../support/served-ledger.ts';
import { tableRows } from '../support/sheets.ts';
import { sampleMerchant, temporaryFolder } from '../support/tieout.ts';

const STATES = ['CA', 'CO', 'FL', 'GA', 'IL', 'MA', 'NJ', 'NY', 'PA', 'TX', 'WA', 'WI'];

test('a close against a served service finds the same figures as with the embedded one, and a second run asks and sends nothing', async () => {
  const folder = await temporaryFolder();
  const { url, key } = await servedLedger(folder, STATES);

  const embedded = await sampleMerchant();
  expect((await embedded.close()).code).toBe(0);
  const remote = await sampleMerchant();
  await writeFile(
    remote.config,
    `${await readFile(remote.config, 'utf8')}\nservice: { url: "${url}", keyVariable: HARBOR_KEY }\n`,
  );

  const keyless = await remote.close();
  expect([keyless.code, keyless.stderr.split(':')[0]]).toEqual([78, 'E_SERVICE_KEY']);
  const wrong = await remote.close(['2026-10'], { env: { HARBOR_KEY: 'wrong' } });
  expect([wrong.code, wrong.stderr.split(':')[0]]).toEqual([78, 'E_SERVICE_KEY']);

  const first = await remote.close(['2026-10'], { env: { HARBOR_KEY: key } });
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  const book = (output: string) => join(output, 'harbor-and-pine', '2026-10', 'variance.xlsx');
  for (const sheet of ['By state', 'By reason', 'Exceptions', 'Completeness', 'Detail']) {
    expect(await tableRows(book(remote.output), sheet), sheet).toEqual(
      await tableRows(book(embedded.output), sheet),
    );
  }

  const second = await remote.close(['2026-10', '--json'], { env: { HARBOR_KEY: key } });
  expect(JSON.parse(second.stdout)).toMatchObject({
    calculations: { asked: 0 },
    submissions: { created: 0, updated: 0, unchanged: 323 },
  });

  const text = await readFile(remote.config, 'utf8');
  await writeFile(remote.config, text.replace('service: { ', 'service: { asOf: ignored, '));
  const today = await remote.close(['2026-10', '--json'], { env: { HARBOR_KEY: key } });
  // Without calculations as of other days, a refund at the rates of its own day cannot be proved.
  expect(JSON.parse(today.stdout)).toMatchObject({
    exit_code: 1,
    reasons: expect.arrayContaining([{ code: 'R99', sales: 1, over: '0.00', under: '-2.89' }]),
  });
  expect(today.stdout).toContain(
    'sales were calculated with the rates of the day on which the service was asked',
  );
});
