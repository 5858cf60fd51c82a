import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { data as programFiles } from '../../src/app/program-files.data.ts';
import { data as law } from '../../src/filing/filing-law.data.ts';
import { data as profiles } from '../../src/sales/profiles.data.ts';

const built = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../dist/${name}.json`, import.meta.url), 'utf8'));

test.for([
  ['filing-law', law],
  ['profiles', profiles],
  ['program-files', programFiles],
] as const)('the build has %s as the sources say it', ([name, data]) => {
  expect(built(name)).toEqual(data());
});
