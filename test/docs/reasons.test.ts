import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { QUESTIONS_MAX } from '../../src/close/reconcile/questions.ts';
import { REASONS } from '../../src/close/reconcile/reason.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/reasons.md', import.meta.url)), 'utf8');

describe('docs/reasons.md', () => {
  test('lists every reason by its name, and no other', () => {
    const rows = [...PAGE.matchAll(/^\| (R\d\d) +\| (.+?) +\| \S/gm)].map(([, code, name]) => [code, name]);
    expect(rows).toEqual(Object.entries(REASONS).map(([code, { name }]) => [code, name]));
  });

  test('says how many questions are asked about a sale at the most', () => {
    expect(PAGE).toContain(`at most ${QUESTIONS_MAX} questions a sale`);
  });
});
