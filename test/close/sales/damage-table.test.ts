import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CASES, type Case, readCase } from './case-files.ts';

type DamageRow = {
  readonly damage: string;
  readonly rule: string;
  readonly cases: readonly (Case & { readonly profile: string })[];
};

const TABLE = parse(
  readFileSync(new URL('damage-table.yaml', import.meta.url), 'utf8'),
) as readonly DamageRow[];

describe.for(TABLE.map((row) => [row.damage, row.rule, row.cases] as const))('%s: %s', ([, , cases]) => {
  test.for(cases.map((one) => [one.profile, one.about, one] as const))('%s, %s', async ([profile, , one]) => {
    const list = CASES.find((other) => other.profile === profile);
    if (!list) throw new Error(`there are no cases of ${profile}`);
    expect(await readCase(one, list)).toEqual(one.expect);
  });
});
