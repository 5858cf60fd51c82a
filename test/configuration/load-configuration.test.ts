import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/configuration/load-configuration.ts';
import { configurationFolder, type Parts, yamlOf } from './configuration-file.ts';

const load = async (parts: Parts = {}) => loadConfiguration((await configurationFolder(yamlOf(parts))).file);

test('a configuration that says as little as it may has the rest by default, part by part', async () => {
  expect(
    await load({ more: 'policy: { unexplained: "0.05" }\ndatabases: { ledger: "sqlite:books.db" }' }),
  ).toMatchObject({
    entity: 'harbor',
    registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'monthly' }],
    channels: [{ name: 'shopify', files: ['orders.csv'], refundDates: [] }],
    categories: [],
    service: { concurrency: 16 },
    databases: { ledger: 'sqlite:books.db' },
    output: 'output',
    policy: { unexplained: '0.05', lateItems: 'ask' },
  });
});

test('the paths of a configuration, in addresses of databases too, are relative to its file', async () => {
  const { folder, file } = await configurationFolder(yamlOf());
  for (const named of [file, relative(process.cwd(), file)]) {
    const { resolvePath, resolveUrl, ...configuration } = await loadConfiguration(named);
    expect(configuration.file).toBe(named);
    expect(resolvePath('orders.csv')).toBe(join(folder, 'orders.csv'));
    expect(resolvePath('../output')).toBe(join(folder, '..', 'output'));
    expect(resolvePath('/exports/orders.csv')).toBe('/exports/orders.csv');
    expect(resolveUrl('sqlite:.tieout/ledger.db')).toBe(`sqlite:${join(folder, '.tieout', 'ledger.db')}`);
    for (const url of ['sqlite:/var/ledger.db', 'sqlite::memory:', 'postgres://u:p@host/name'])
      expect(resolveUrl(url)).toBe(url);
  }
});

describe('a configuration that cannot be read', () => {
  test('because it is not there says how to name one', async () => {
    await expect(loadConfiguration('/nowhere/tieout.yaml')).rejects.toMatchObject({
      code: 'E_CONFIG_MISSING',
      recovery: 'fix-config',
      message: '/nowhere/tieout.yaml: the configuration cannot be read: it is not there (ENOENT)',
      nextStep:
        'Name one with --config, or run where tieout.yaml is. From a folder of exports, `tieout init FOLDER` makes one.',
    });
  });

  test('because a key is a list says so, and the YAML library prints no warning of its own', async () => {
    const warned: string[] = [];
    const warn = ({ message }: Error) => warned.push(message);
    process.on('warning', warn);
    const { file } = await configurationFolder('entity: harbor\n[a, b]: c\n');
    await expect(loadConfiguration(file)).rejects.toMatchObject({ code: 'E_CONFIG_INVALID' });
    await new Promise(setImmediate);
    process.off('warning', warn);
    expect(warned).toEqual([]);
  });

  test.for([
    [
      'entity: harbor\nchannels: [a\n',
      ':3:1: a [ or { before this place is not closed, or the line is indented less than what it belongs to',
      'Correct the YAML at that place.',
      'a bracket that is never closed',
    ],
    [
      'categories: [{ sku: *-BOOK, code: "81100" }]\n',
      ': Unresolved alias (the anchor must be set before the alias): -BOOK',
      'Put a text that starts with * in quotes.',
      'a pattern that needs quotes',
    ],
  ] as const)('%j names the place: tieout.yaml%s %s (%s)', async ([text, message, nextStep]) => {
    const { file } = await configurationFolder(text);
    await expect(loadConfiguration(file)).rejects.toMatchObject({
      code: 'E_CONFIG_SYNTAX',
      recovery: 'fix-config',
      message: `${file}${message}`,
      nextStep,
    });
  });
});
