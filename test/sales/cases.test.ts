import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CASES, type Case, readCase } from './case-files.ts';

type DamageRow = {
  readonly damage: string;
  readonly rule: string;
  readonly cases: readonly (Case & { readonly profile: string })[];
};

const DAMAGES = parse(
  readFileSync(new URL('damage-table.yaml', import.meta.url), 'utf8'),
) as readonly DamageRow[];

const inFormats = CASES.map(({ profile, cases }) => ({
  title: `exports of ${profile}`,
  cases: cases.map((one) => ({ ...one, profile })),
}));
const damaged = DAMAGES.map(({ damage, rule, cases }) => ({
  title: `${damage}: ${rule}`,
  cases,
}));

describe.for([...inFormats, ...damaged])('$title', ({ cases }) => {
  test.for(cases)('$profile, $about', async (one) => {
    const list = CASES.find(({ profile }) => profile === one.profile);
    if (!list) throw new Error(`there are no cases of ${one.profile}`);
    expect(await readCase(one, list)).toEqual(one.expect);
  });
});
