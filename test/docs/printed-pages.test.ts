import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { undescribedKeys } from '../../scripts/docs/keys-page.ts';
import { configurationForm, printedPages, profileForm } from '../../scripts/docs/printed-pages.ts';

const pageAt = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

describe('the pages that are printed from the code', () => {
  it.each([...printedPages()])('%s is as the code has it (npm run docs prints it again)', (path, text) => {
    expect(pageAt(path)).toBe(text);
  });

  test('say something of every key', () => {
    expect(undescribedKeys(configurationForm)).toEqual([]);
    expect(undescribedKeys(profileForm)).toEqual([]);
  });
});
