import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CODES } from '../../../src/judge/finding.ts';
import { ERRORS } from '../../../src/kernel/error-codes.ts';
import { MONTHS } from './hinted-months.ts';
import { RECORDS } from './hinted-records.ts';

const elsewhere = parse(readFileSync(new URL('elsewhere.yaml', import.meta.url), 'utf8')) as {
  readonly findings: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly notOfTheShop: readonly string[];
};

const inMonths = MONTHS.flatMap(({ codes }) => codes);

/** The codes of tables that no row, or more than one place, tries; and rows of codes that are in no table. */
const untried = (codes: readonly string[], rows: readonly string[]): readonly string[] => [
  ...codes.filter((code) => !rows.includes(code)),
  ...rows.filter((code) => !codes.includes(code)),
];

describe('following a hint', () => {
  test('is tried for every finding and every reason', () => {
    const rows = [
      ...RECORDS.map(({ code }) => code),
      ...inMonths.filter((code) => !code.startsWith('E_')),
      ...Object.keys(elsewhere.findings),
    ];
    expect(untried(Object.keys(CODES), rows)).toEqual([]);
  });

  test('is tried for every error that a file of the shop can mend', () => {
    const rows = [
      ...inMonths.filter((code) => code.startsWith('E_')),
      ...Object.keys(elsewhere.errors),
      ...elsewhere.notOfTheShop,
    ];
    const codes = [...Object.keys(ERRORS['fix-input']), ...Object.keys(ERRORS['fix-config'])];
    expect(untried(codes, rows)).toEqual([]);
  });

  test.for(Object.entries({ ...elsewhere.findings, ...elsewhere.errors }))(
    '%s is shown by %s',
    ([code, file]) => {
      expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(code);
    },
  );
});
