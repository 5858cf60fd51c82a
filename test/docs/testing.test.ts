import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('every file and folder of the ways of testing is there', () => {
  const page = readFileSync(`${ROOT}docs/testing.md`, 'utf8');
  const ways = page.slice(page.indexOf('## The ways'), page.indexOf('## What runs longer'));
  const rows = ways.split('\n').filter((line) => /^\| [a-z ]+ \| `/.test(line));
  const named = rows.flatMap((line) =>
    [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(`${ROOT}test/${path}`))).toEqual([]);
});
