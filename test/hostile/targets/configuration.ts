import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { checkConfiguration, loadEntities } from '../../../src/configuration/load-configuration.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inFolder, inTime, refusedClearly } from '../fuzz-target.ts';

const KEYS = ['entity', 'entities', 'name', 'channels', 'registrations', 'service', 'policy', 'files', 'url'];

/** A configuration with a key of every kind, which is read in a millisecond. */
const SMALL = `entity: shop
timeZone: America/Chicago
shipFrom: { country: US, state: IL, zip: "60601", city: Chicago, street: 1 Main St }
registrations:
  - { state: IL, since: "2024-01-01", account: "4455-5128", frequency: quarterly }
channels:
  - { name: web, files: [orders.csv], refundDates: ["pay*.csv"] }
categories: [{ sku: APP-*, code: "20010" }]
`;

/** `tieout.yaml`, damaged as text, or any data at all under its keys. */
export const configuration: FuzzTarget = {
  name: 'configuration',
  share: 8_100,
  open: () =>
    inFolder(async (folder) => {
      const file = join(folder, 'tieout.yaml');
      const anyData = fc.dictionary(fc.constantFrom(...KEYS), fc.anything({ withNullPrototype: false }));
      const text = fc.oneof(
        { weight: 8, arbitrary: damagedText(SMALL) },
        anyData.map((data) => Buffer.from(asYaml(data))),
      );
      return fuzzRun(fc.tuple(text, anyData), async ([bytes, data]) => {
        await writeFile(file, bytes);
        await inTime(refusedClearly(() => loadEntities(file)));
        const { problems } = checkConfiguration(data);
        if (problems.some(({ text }) => text.length < 10))
          throw new Error(`unclear: ${problems.map(({ text }) => text).join()}`);
      });
    }),
};

const asYaml = (data: unknown): string => {
  try {
    return stringify(data);
  } catch {
    // What has no form in YAML cannot stand in a file.
    return '';
  }
};
