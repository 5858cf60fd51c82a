import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/configuration/load-configuration.ts';
import { configurationParts } from '../../src/configuration/parts.ts';
import { configurationFolder, yamlOf } from './configuration-file.ts';

const digestWith = async (more: string): Promise<string> =>
  configurationParts(await loadConfiguration((await configurationFolder(yamlOf({ more }))).file))
    .configuration;

describe('the digest of a configuration', () => {
  test.for([
    'service: { asOf: ignored }',
    'service: { otherProviders: [] }',
    'service: { url: "https://tax.example.com/v2" }',
    'policy: { unexplained: "0.05" }',
    'categories: [{ sku: A-*, code: "20010" }]',
  ])('changes with what decides figures: %s', async (more) => {
    expect(await digestWith(more)).not.toBe(await digestWith(''));
  });

  test.for([
    'service: { concurrency: 4, retries: 2, timeoutSeconds: 5 }',
    'service: { maxCalculations: 10 }',
    'databases: { ledger: "sqlite:elsewhere.db" }',
    'output: elsewhere',
  ])('does not with where things lie, and how fast they are done: %s', async (more) => {
    expect(await digestWith(more)).toBe(await digestWith(''));
  });
});
