import { beforeAll, describe, expect, test } from 'vitest';
import { aboutFinding } from '../../../src/judge/finding.ts';
import { type Exception, type Figures, openOf } from '../../support/figures.ts';
import { sharedFolder } from '../../support/tieout.ts';
import { type HintedMonth, MONTHS, shopOf } from './hinted-months.ts';
import { answered, exceptionsOf, followed, hintedShop, RECORDS, verdictsOf } from './hinted-records.ts';

const MINUTES = 240_000;
const isOpen = ({ severity, accepted }: Exception): boolean => severity === 'error' && accepted === '';

describe('a finding about a record or a file', () => {
  const folder = sharedFolder();
  let before: Figures;
  let after: Figures;
  beforeAll(async () => {
    const shop = await hintedShop(folder);
    before = await shop.closeWith((record) => record);
    after = await shop.closeWith(followed);
  }, MINUTES);

  test.for(RECORDS)('$code is shown, and open if something is to be done', (record) => {
    const own = exceptionsOf(record, before);
    expect(own.map(({ code }) => code)).toContain(record.code);
    if (!record.then && verdictsOf(record.code).length === 0) expect(own.filter(isOpen)).toEqual([]);
  });

  test.for(RECORDS.filter(({ then }) => then))('$code is gone once its hint was followed', (record) => {
    const { leaves = [] } = followed(record);
    const left = exceptionsOf(record, after).filter((each) => each.code === record.code || isOpen(each));
    expect(left.filter(({ code }) => !leaves.includes(code))).toEqual([]);
  });
});

describe('a verdict that a hint names', () => {
  const tried = RECORDS.flatMap((record) =>
    verdictsOf(record.code).map((verdict, round) => ({
      record,
      code: record.code,
      verdict,
      round,
    })),
  );
  const folder = sharedFolder();
  let before: Figures;
  const after: Figures[] = [];
  beforeAll(async () => {
    const shop = await hintedShop(folder);
    before = await shop.closeWith((record) => record);
    const list = await shop.read('out/shop/2026-10/open-items.csv');
    for (const round of new Set(tried.map((one) => one.round))) {
      await shop.write('decisions.csv', answered(list, round));
      after.push(await shop.closeWith((record) => record));
    }
  }, MINUTES);

  test.for(tried)('“$verdict” ends $code, and nothing else comes in its place', ({ record, code, round }) => {
    const opened = (figures: Figures | undefined): readonly string[] =>
      figures
        ? exceptionsOf(record, figures)
            .filter(isOpen)
            .map((each) => each.code)
        : [];
    const known = opened(before).filter((each) => each !== code);
    expect(known).toEqual(expect.arrayContaining([...opened(after[round])]));
  });
});

const isError = ({ codes }: HintedMonth): boolean => codes.some((code) => code.startsWith('E_'));

test.for(MONTHS.filter((row) => !isError(row)))('$codes: over once the hint was followed', async (row) => {
  const shop = await shopOf(row);
  const { exceptions } = await shop.close('2026-10', ...shop.content);
  expect(exceptions.map(({ code }) => code)).toEqual(expect.arrayContaining([...row.codes]));
  await shop.follow();
  const after = await shop.close();
  expect(openOf(after)).toEqual([]);
  const left = after.exceptions.filter(({ code }) => row.codes.includes(code));
  expect(left.filter(({ code }) => !aboutFinding(code).todo.startsWith('Nothing'))).toEqual([]);
});

test.for(MONTHS.filter(isError))('$codes stops a close, and not the one after its next step', async (row) => {
  const shop = await shopOf(row);
  expect([await shop.refused('close', '2026-10')]).toEqual(row.codes);
  await shop.follow();
  expect(openOf(await shop.close())).toEqual([]);
});
