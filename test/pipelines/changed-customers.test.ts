import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('a customer whose exemption changes in the embedded service is calculated again', async () => {
  const shop = await month({
    template: [{ name: 'T-1', customer: 'c1', tax: '0.00' }, { name: 'T-2' }],
  });
  await shop.service((service) =>
    service.createCustomer({ customer_id: 'c1', exemption_type: 'wholesale', name: 'Customer' }),
  );
  expect((await shop.close()).totals).toMatchObject({ expected: '10.75' });
  const files = await shop.files();
  await shop.close();
  expect(await shop.files()).toEqual(files);

  await shop.service((service) => service.updateCustomer('c1', { exemption_type: 'non_exempt' }));
  expect((await shop.close()).totals).toMatchObject({ expected: '21.50' });
  expect(await shop.verify()).toEqual([]);

  await shop.service((service) => service.deleteCustomer('c1'));
  expect((await shop.close()).totals).toMatchObject({ expected: '21.50' });
});
