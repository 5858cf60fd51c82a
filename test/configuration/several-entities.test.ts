import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadConfiguration, loadEntities } from '../../src/configuration/load-configuration.ts';
import { rowsOf } from '../support/rows.ts';
import { configurationFolder } from './configuration-file.ts';

const PAGE = readFileSync(new URL('../../docs/first-books.md', import.meta.url), 'utf8');
const EXAMPLE = /```yaml\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';

const fileOf = async (text: string) => (await configurationFolder(text)).file;

/** What is wrong with the example of the documentation after a change, without the name of its file and without lines. */
const problemsAfter = async (from: string, to: string): Promise<string> => {
  expect(EXAMPLE).toContain(from);
  const file = await fileOf(EXAMPLE.replace(from, to));
  const error: unknown = await loadEntities(file).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_CONFIG_INVALID' });
  const lines = (error as Error).message.replace(file, '  line ').split('\n');
  return lines.map((line) => line.replace(/^ {2}(?:line :?\d+: )?/, '')).join('; ');
};

describe('a configuration of several entities', () => {
  test('gives each what it says itself, and what it names of another', async () => {
    const [harbor, outlet, ...others] = await loadEntities(await fileOf(EXAMPLE));
    expect(others).toEqual([]);
    expect(harbor).toMatchObject({
      entity: 'harbor',
      timeZone: 'America/Los_Angeles',
      shipFrom: { state: 'CA', city: 'Sacramento' },
      service: {
        url: 'https://tax.example.com/v2/',
        keyVariable: 'HARBOR_KEY',
        retries: 7,
      },
      policy: { unexplained: '0.05' },
      output: 'closes',
    });
    expect(outlet).toMatchObject({
      entity: 'outlet',
      timeZone: 'America/New_York',
      shipFrom: { state: 'NY', city: 'New York' },
      service: { url: 'https://tax.example.com/v2/', keyVariable: 'OUTLET_KEY' },
      policy: { unexplained: '0.05' },
      registrations: [{ state: 'NY' }],
    });
  });

  test('hands out one by its name', async () => {
    const file = await fileOf(EXAMPLE);
    expect((await loadConfiguration(file, 'outlet')).entity).toBe('outlet');
    expect((await loadEntities(file, undefined)).map(({ entity }) => entity)).toEqual(['harbor', 'outlet']);
    await expect(loadEntities(file, 'outlt')).rejects.toMatchObject({
      code: 'E_ENTITY',
      recovery: 'usage',
      message: `${file}: there is no entity "outlt"`,
      nextStep: 'Name one with --entity: harbor, outlet',
    });
    await expect(loadConfiguration(file)).rejects.toMatchObject({ code: 'E_ENTITY' });
  });

  // A slip is told at its own place, once; entities that would share folders, sales or records are refused.
  test.for(
    rowsOf(`
      name: Pine Outlet LLC | nam: Pine Outlet LLC | entities[outlet].name: is missing; entities[outlet]: unknown key "nam"; did you mean "name"?
      keyVariable: HARBOR_KEY | keyVariabel: HARBOR_KEY | entities[harbor].service: unknown key "keyVariabel"; did you mean "keyVariable"?
      unexplained: "0.05" | unexplained: 0.05 | entities[harbor].policy.unexplained: must be a text, so put it in quotes; entities[outlet].policy.unexplained: must be a text, so put it in quotes
      entity: outlet | entity: harbor | entities[harbor].entity: "harbor" is that of another entity already
      outlet/*.csv | ./harbor/*.csv | entities[outlet].channels[shopify].files: "./harbor/*.csv" is read by harbor as well
      OUTLET_KEY | HARBOR_KEY | entities[outlet]: its "shopify" would mix with that of harbor at the service`),
  )('%s replaced by %s: %s', async ([from, to, problems]) => {
    expect((await problemsAfter(from, to)).split(/, so both|, which sees/)[0]).toBe(problems);
  });

  test('entities of one account may have different providers, and those of the embedded service need no key', async () => {
    const shared = EXAMPLE.replace('OUTLET_KEY', 'HARBOR_KEY');
    expect(
      await loadEntities(
        await fileOf(shared.replace('name: shopify, files: [outlet', 'name: outlet, files: [outlet')),
      ),
    ).toHaveLength(2);
    expect(
      await loadEntities(await fileOf(shared.replaceAll('url: "https://tax.example.com/v2/", ', ''))),
    ).toHaveLength(2);
  });

  test('entities may share an export of which each takes rows by a profile of its own', async () => {
    const shared = EXAMPLE.replace('outlet/*.csv]', 'harbor/*.csv], profile: outlet.yaml').replace(
      'harbor/*.csv] }',
      'harbor/*.csv], profile: harbor.yaml }',
    );
    expect(await loadEntities(await fileOf(shared))).toHaveLength(2);
  });

  test.for([
    ['entities: []', 'entities: must have at least 1 entry'],
    ['entities: [harbor]', 'entities (entry 1): must be keys and values'],
  ] as const)('%s: %s', async ([text, problems]) => {
    const file = await fileOf(`${text}\n`);
    await expect(loadEntities(file)).rejects.toMatchObject({ message: `${file}:1: ${problems}` });
  });
});
