import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { pipelines } from '../entry/close.ts';
import { portsHere } from '../support/close-here.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { tableRows } from '../support/sheets.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

/** Three orders of three days, each of which is asked for by itself. */
const ORDERS = [1, 2, 3].map((day) => ({ name: `#${day}`, at: `2026-10-0${day} 12:00:00 -0700` }));

type Answered = (answer: TaxResult, number: number) => TaxResult;
const asItIs: Answered = (answer) => answer;
const withoutDay: Answered = ({ calculation_date: _, ...answer }) => answer;
/** The first names the day of its sale, the second none, the third another one. */
const eachInItsWay: Answered = (answer, number) => {
  if (number === 1) return answer;
  if (number === 2) return withoutDay(answer, number);
  return { ...answer, calculation_date: calendarDate('2026-11-21') };
};

/** What the workbook says of sales that were calculated with the rates of today. */
const saidAfter = async (service: string, key: string, answered: Answered): Promise<readonly string[]> => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', ORDERS);
  await writeShop(folder, ['orders.csv'], [], service === '' ? '' : `service: ${service}\n`);
  let number = 0;
  await portsHere(
    folder,
    (ports) =>
      pipelines.monthlyClose.run(
        {
          ...ports,
          service: {
            ...ports.service,
            calculateTax: async (request) => {
              number += 1;
              const own = number;
              return answered(await ports.service.calculateTax(request), own);
            },
          },
        },
        { period: '2026-10' },
      ),
    { variable: (name) => (name === 'TIEOUT_SERVICE_KEY' ? key : undefined) },
  );
  expect(number).toBe(3);
  const rows = await tableRows(join(folder, 'out/shop/2026-10/variance.xlsx'), 'Exceptions');
  return rows.filter((row) => row['Code'] === 'todays-rates').map((row) => String(row['What']));
};

test('sales of which no one can say that they were calculated as of their day are counted in an exception', async () => {
  const { url, key } = await servedLedger(await temporaryFolder(), ['CA']);
  const two = [expect.stringMatching(/^2 /)];
  expect(await saidAfter(`{ url: "${url}", asOf: stated }`, key, eachInItsWay)).toEqual(two);
  expect(await saidAfter(`{ url: "${url}", asOf: honoured }`, key, withoutDay)).toEqual([]);
  const all = [expect.stringMatching(/^3 /)];
  expect(await saidAfter(`{ url: "${url}", asOf: ignored }`, key, asItIs)).toEqual(all);
  expect(await saidAfter('', key, withoutDay)).toEqual([]);
});
