import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ShopOrder, writeOrders } from './shop.ts';
import { type Ran, type RunOptions, temporaryFolder, tieout } from './tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/harbor-and-pine', import.meta.url));

export type TwoEntities = {
  readonly folder: string;
  readonly config: string;
  readonly output: string;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
};

/** The sample merchant and a second, smaller one in one configuration, with databases and output in common. */
export const twoEntities = async (orders: readonly ShopOrder[] = [{ name: '#1' }]): Promise<TwoEntities> => {
  const folder = await temporaryFolder();
  await cp(SAMPLE, folder, { recursive: true, filter: (path) => !path.includes('.tieout') });
  await mkdir(join(folder, 'outlet'));
  await writeOrders(join(folder, 'outlet'), 'orders.csv', orders);
  const sample = (await readFile(join(SAMPLE, 'tieout.yaml'), 'utf8')).replace(
    'output: ../../output',
    'output: output',
  );
  const config = join(folder, 'tieout.yaml');
  await writeFile(
    config,
    `entities:
  - ${sample.split('\n').slice(1).join('\n    ')}
  - entity: outlet
    name: Pine Outlet LLC
    timeZone: America/New_York
    shipFrom: { country: US, state: CA, zip: "94607", city: Oakland, street: 1 Main St }
    registrations: [{ state: CA, since: "2022-01-01" }]
    channels: [{ name: shopify, files: [outlet/orders.csv] }]
`,
  );
  return {
    folder,
    config,
    output: join(folder, 'output'),
    run: ([command = '', ...args], options = {}) => tieout([command, ...args, '--config', config], options),
  };
};
