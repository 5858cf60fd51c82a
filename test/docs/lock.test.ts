import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingFrom } from '../../scripts/complete-lock.ts';

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Parameters<typeof missingFrom>[0];
};

test('the lock holds every package for every platform, so that npm ci takes it (npm run lock completes it)', () => {
  expect([...missingFrom(lock.packages).keys()]).toEqual([]);
});

test('a package for another platform that is not in the lock is found', () => {
  const packages = {
    'node_modules/tool': {
      dev: true,
      license: 'MIT',
      optionalDependencies: { '@tool/cli-linux-x64-musl': '1.2.3' },
    },
  };
  expect([...missingFrom(packages)]).toEqual([
    [
      'node_modules/@tool/cli-linux-x64-musl',
      {
        version: '1.2.3',
        cpu: ['x64'],
        dev: true,
        libc: ['musl'],
        license: 'MIT',
        optional: true,
        os: ['linux'],
      },
    ],
  ]);
});
