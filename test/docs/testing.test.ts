import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('every file and folder of the net is there', () => {
  const page = readFileSync(`${ROOT}docs/testing.md`, 'utf8');
  const net = page.slice(page.indexOf('## The net'), page.indexOf('## What runs longer'));
  const rows = net.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(`${ROOT}test/${path}`))).toEqual([]);
});
