import { join } from 'node:path';
import { expect, test } from 'vitest';
import { late } from '../../pipelines/late.ts';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { portsHere } from '../support/close-here.ts';
import { onPostgres } from '../support/databases.ts';
import { type ExemptOrder, exemptShop } from '../support/exempt-shop.ts';
import { filesOf } from '../support/tieout.ts';

const OCTOBER: readonly ExemptOrder[] = [
  { id: '1', customer: 'ACME', exemption: 'wholesale' },
  { id: '2', customer: 'ACME', tax: '0.00' },
  { id: '3', customer: 'BOLT', exemption: 'government' },
  { id: '4' },
  { id: '5', refundOf: '4', tax: '-10.75', on: '2026-10-12' },
];
const LATE: readonly ExemptOrder[] = [
  { id: '6', on: '2026-10-20' },
  { id: '7', customer: 'ACME', exemption: 'wholesale', on: '2026-10-21' },
];
const ACME = ['RC-1', 'ACME', 'CA', 'resale', '2024-01-01', '2027-12-31'];

/** October with certificates, locked; one record that comes late is carried into November, another amends October. */
const history = async (databases: string) => {
  const { folder, writeOrders, writeRegister } = await exemptShop(
    OCTOBER,
    `certificates: [register.csv]\n${databases}`,
  );
  await writeRegister([ACME]);
  const closed = await portsHere(folder, async (ports) => {
    const october = await monthlyClose.run(ports, { period: '2026-10' });
    await lock.run(ports, { period: '2026-10', who: 'Dana', openExceptions: 'known' });
    return october;
  });
  await writeOrders([...OCTOBER, ...LATE, { id: '8', on: '2026-11-01' }]);
  await writeRegister([]);
  const decided = await portsHere(folder, async (ports) => {
    const carried = await late.run(ports, {
      period: '2026-10',
      choice: 'carry',
      records: ['6'],
      who: 'Dana',
    });
    const wish = { period: '2026-10', choice: 'amend', who: 'Dana', openExceptions: 'known' };
    const amended = await late.run(ports, wish);
    const november = await monthlyClose.run(ports, { period: '2026-11' });
    return { carried: carried.listing, amended: amended.listing, november: november.submitted };
  });
  return { closed: closed.submitted, ...decided, files: await filesOf(join(folder, 'out')) };
};

onPostgres(({ newUrl }) => {
  test('certificates, locks, carried and amending late items come out with the same bytes on PostgreSQL', async () => {
    const plain = await history('');
    const urls = [await newUrl(), await newUrl()];
    const shared = await history(`databases: { ledger: "${urls[0]}", workspace: "${urls[1]}" }\n`);
    expect(shared).toEqual(plain);
    expect([...plain.files.keys()].filter((path) => path.endsWith('variance.xlsx'))).toEqual([
      join('shop', '2026-10-amended-1', 'variance.xlsx'),
      join('shop', '2026-10', 'variance.xlsx'),
      join('shop', '2026-11', 'variance.xlsx'),
    ]);
    expect(plain.november).toMatchObject({ created: 2 });
  });
});
