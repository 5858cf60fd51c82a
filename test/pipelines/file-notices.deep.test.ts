import { expect, test } from 'vitest';
import { zipOf } from '../sales/files/on-disk.ts';
import type { FileFigures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';

test('a channel of many files in a folder, a pattern and an archive is read whole, each file once', async () => {
  // Files of two orders each that overlap by one; the first of them are in the archive, too.
  const loose = 20;
  const packed = 15;
  const shop = await month({ channel: { files: ['all.zip', 'loose/1*.csv', 'loose'] } });
  const exported = Array.from({ length: loose }, (_, index) => {
    const orders = ordersExport([{ name: `#${index + 1}` }, { name: `#${index + 2}` }]);
    return [`${index + 1}.csv`, orders] as const;
  });
  for (const [name, text] of exported) await shop.write(`loose/${name}`, text);
  const archived = exported.slice(0, packed).map(([name, text]) => [name, Buffer.from(text)]);
  await shop.write('all.zip', await zipOf(Object.fromEntries(archived)));
  const figures = await shop.close();
  const orders = loose + 1;
  const files = loose + packed;
  expect([figures.exit_code, figures.states[0]?.orders, figures.inputs.length]).toEqual([0, orders, files]);
  const total = (pick: keyof Pick<FileFigures, 'rows' | 'used' | 'ignored'>) =>
    figures.inputs.reduce((sum, input) => sum + input[pick], 0);
  expect([total('rows'), total('used'), total('ignored')]).toEqual([2 * files, orders, 2 * files - orders]);
});
