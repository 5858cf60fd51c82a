import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** As little as a configuration may say, by its top-level keys. */
export const LEAST = {
  entity: 'entity: harbor',
  name: 'name: Harbor & Pine',
  timeZone: 'timeZone: America/Los_Angeles',
  shipFrom: 'shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1201 K Street }',
  registrations: 'registrations: [{ state: CA, since: "2019-01-01" }]',
  channels: 'channels: [{ name: shopify, files: [orders.csv] }]',
} as const;
export type Parts = Partial<Record<keyof typeof LEAST | 'more', string>>;

export const yamlOf = (parts: Parts = {}): string =>
  `${Object.values({ ...LEAST, ...parts })
    .filter((part) => part !== '')
    .join('\n')}\n`;

/** A folder with a `tieout.yaml` that lives as long as the test. */
export const configurationFolder = async (text: string): Promise<{ folder: string; file: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-configuration-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'tieout.yaml');
  await writeFile(file, text);
  return { folder, file };
};
