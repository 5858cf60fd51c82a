import { describe, expect, test } from 'vitest';
import { CASES, readCase } from './case-files.ts';

describe.for(CASES.map((list) => [list.profile, list] as const))('exports of %s', ([, list]) => {
  test.for(list.cases.map((one) => [one.about, one] as const))('%s', async ([, one]) => {
    expect(await readCase(one, list)).toEqual(one.expect);
  });
});
