import { join } from 'node:path';
import { detectProfile } from '../../src/close/sales/detect-profile.ts';
import { surveyFile } from '../../src/close/sales/files/survey-file.ts';
import { knownProfiles } from '../../src/close/sales/load-profiles.ts';
import { provenProfile, readExport } from '../../src/close/sales/read-export.ts';
import type { SaleContext } from '../../src/close/sales/read-sale.ts';
import { isSalesProfile } from '../../src/close/sales/shipped-profiles.ts';
import { zoneCalendar } from '../../src/kernel/calendar.ts';
import { holdMemory } from '../../src/runtime/hold-memory.ts';
import { SHIP_FROM, TIME_ZONE } from '../month/merchant.ts';
import { writeMonth } from '../month/write-month.ts';
import { inFolder, measured, sizeAsked } from './cost.ts';

/** Reading an export of 79 columns into sales: digest, detection and all that is proved of a file. */
holdMemory();
const context: SaleContext = {
  channel: 'shop',
  file: 'orders.csv',
  calendar: zoneCalendar(TIME_ZONE),
  timeZone: TIME_ZONE,
  channelZone: TIME_ZONE,
  sellerPlace: { country: 'US', ...SHIP_FROM },
  locations: {},
  isMarketplace: false,
  categoryOf: () => null,
  isFee: () => false,
};

await inFolder(async (folder) => {
  const { rows } = await writeMonth(folder, sizeAsked());
  const path = join(folder, 'orders.csv');
  const profiles = knownProfiles(undefined, (name) => name);
  await measured('extract', { rows, unit: 'rows' }, async () => {
    const source = { name: 'orders.csv', place: path, path, packing: { kind: 'none' } } as const;
    const file = await surveyFile(source);
    const detected = await detectProfile(file, profiles.profiles);
    if (!isSalesProfile(detected.profile)) throw new Error('this is not a sales export');
    const profile = await provenProfile(detected.profile, detected, file.name);
    for await (const _ of readExport(detected, profile, context, { batchSize: 250 }));
  });
});
