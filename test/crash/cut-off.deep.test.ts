import { expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import type { PipelinePorts } from '../entry/close.ts';
import { month } from '../support/month.ts';

/** Between a run that was cut off and the next one the exports may change. */

const CUT = new Error('cut off');

/** The service does what it is asked of records of this name, and the close is cut off before it has noted that. */
const cutOffAfterSending = (ports: PipelinePorts, name: RegExp): PipelinePorts => {
  const { service } = ports;
  return {
    ...ports,
    service: {
      ...service,
      createMany: async (transactions) => {
        const outcomes = await service.createMany(transactions);
        const records = outcomes.filter((outcome) => !(outcome instanceof ServiceRefusal));
        if (name.test(JSON.stringify(records))) throw CUT;
        return outcomes;
      },
      updateOrder: async (id, changes) => {
        const record = await service.updateOrder(id, changes);
        if (name.test(JSON.stringify(record))) throw CUT;
        return record;
      },
    },
  };
};

test('a change that was sent, and not noted, is taken back when the export is put back', async () => {
  const at = (price: string) => ({ orders: [{ name: '#1', price }] });
  const shop = await month(at('100.00'));
  await shop.close();
  await shop.change(at('120.00'));
  await expect(shop.closeWith((ports) => cutOffAfterSending(ports, /"1"/))).rejects.toBe(CUT);
  await shop.change(at('100.00'));
  expect(await shop.close()).toMatchObject({ readiness: { ready: true }, submissions: { updated: 1 } });
});
