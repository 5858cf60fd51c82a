import { expect, test } from 'vitest';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { type Month, month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
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
const saidAfter = async (shop: Month, key: string, answered: Answered): Promise<readonly string[]> => {
  let number = 0;
  await shop.closeWith(
    (ports) => {
      const calculateTax: typeof ports.service.calculateTax = async (request) => {
        number += 1;
        const own = number;
        return answered(await ports.service.calculateTax(request), own);
      };
      return { ...ports, service: { ...ports.service, calculateTax } };
    },
    { variable: (name) => (name === 'TIEOUT_SERVICE_KEY' ? key : undefined) },
  );
  expect(number).toBe(3);
  const rows = await shop.rows('Exceptions');
  return rows.filter((row) => row['Code'] === 'todays-rates').map((row) => String(row['What']));
};

test('sales of which no one can say that they were calculated as of their day are counted in an exception', async () => {
  const { url, key } = await servedLedger(await temporaryFolder(), ['CA']);
  const by = (asOf: string) => month({ orders: ORDERS, settings: { service: { url, asOf } } });
  const two = [expect.stringMatching(/^2 /)];
  expect(await saidAfter(await by('stated'), key, eachInItsWay)).toEqual(two);
  expect(await saidAfter(await by('honoured'), key, withoutDay)).toEqual([]);
  const all = [expect.stringMatching(/^3 /)];
  expect(await saidAfter(await by('ignored'), key, asItIs)).toEqual(all);
  expect(await saidAfter(await month({ orders: ORDERS }), key, withoutDay)).toEqual([]);
});
