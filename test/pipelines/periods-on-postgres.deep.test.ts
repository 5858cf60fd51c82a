import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onPostgres } from '../support/databases.ts';
import { amendLate, answerLate } from '../support/decisions.ts';
import { month } from '../support/month.ts';
import { REGISTER, register } from '../support/register.ts';
import type { TemplateRow } from '../support/shop-exports.ts';
import { withoutLock } from '../support/tieout.ts';

const OCTOBER: readonly TemplateRow[] = [
  { name: '1', customer: 'ACME', exemption: 'wholesale' },
  { name: '2', customer: 'ACME', tax: '0.00' },
  { name: '3', customer: 'BOLT', exemption: 'government' },
  { name: '4' },
  { name: '5', refundOf: '4', at: '2026-10-12' },
];
const LATER: readonly TemplateRow[] = [
  { name: '6', at: '2026-10-20' },
  { name: '7', customer: 'ACME', exemption: 'wholesale', at: '2026-10-21' },
  { name: '8', at: '2026-11-01' },
];

/** October with certificates, locked; one record that comes late is carried into November, another amends October. */
const history = async (databases?: { readonly ledger: string }) => {
  const shop = await month({
    template: OCTOBER,
    settings: { certificates: [REGISTER], ...(databases && { databases }) },
  });
  await shop.write(REGISTER, register([{ customer: 'ACME' }]));
  const closed = await shop.close();
  const known = ['--open-exceptions', 'known', '--as', 'Dana'];
  await shop.told(0, 'lock', '2026-10', ...known);
  await shop.change({ template: [...OCTOBER, ...LATER] });
  await shop.write(REGISTER, register([]));
  const open = await shop.close('2026-11');
  await answerLate(shop, '2026-11', 'next', { names: ['6'] });
  const amended = await amendLate(shop, '2026-10', '2026-11');
  const november = await shop.close('2026-11');
  const submitted = [closed, open, amended, november].map(({ submissions }) => submissions);
  return { submitted, files: withoutLock(await shop.published()) };
};

onPostgres(({ newUrl }) => {
  test('certificates, locks, carried and amending late items come out with the same bytes on PostgreSQL', async () => {
    const plain = await history();
    expect(await history({ ledger: await newUrl() })).toEqual(plain);
    expect([...plain.files.keys()].filter((path) => path.endsWith('variance.xlsx'))).toEqual([
      join('shop', '2026-10-amended-1', 'variance.xlsx'),
      join('shop', '2026-10', 'variance.xlsx'),
      join('shop', '2026-11', 'variance.xlsx'),
    ]);
    expect(plain.submitted.map(({ created }) => created)).toEqual([5, 1, 1, 0]);
  });
});
