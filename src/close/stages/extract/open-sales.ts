import { detectProfile } from '../../sales/detect-profile.ts';
import { ExportError } from '../../sales/export-error.ts';
import { groupRows } from '../../sales/group-rows.ts';
import type { Profile } from '../../sales/profile.ts';
import type { SaleContext } from '../../sales/read-sale.ts';
import { readTable, type TableRow } from '../../sales/read-table.ts';
import { rowReader } from '../../sales/row-view.ts';
import { isSalesProfile, shippedProfiles } from '../../sales/shipped-profiles.ts';
import { skuCategories } from '../../sales/sku-categories.ts';
import type { ChannelLoad } from './channel-load.ts';
import type { SourceFile } from './source-file.ts';

export const detected = async (load: ChannelLoad, file: SourceFile, fits: (profile: Profile) => boolean) => {
  const profiles = shippedProfiles();
  const { profile: wanted } = load.channel;
  if (wanted !== undefined && !profiles.some(({ id }) => id === wanted)) {
    const known = profiles.map(({ id }) => id).join(', ');
    throw new ExportError(
      'E_EXPORT_PROFILE',
      file.path,
      `there is no profile "${wanted}"`,
      `Name one of ${known}.`,
    );
  }
  const found = await detectProfile(file.path, file.path, profiles);
  const isWanted = wanted === undefined || !isSalesProfile(found.profile) || found.profile.id === wanted;
  if (fits(found.profile) && isWanted) return found;
  const role =
    fits === isSalesProfile
      ? '`files` of the channel wants sales'
      : '`refundDates` wants the dates of refunds';
  throw new ExportError(
    'E_EXPORT_PROFILE',
    file.path,
    `it is a ${found.profile.title} (${found.profile.id}), but ${role}`,
    'Put the file where it belongs in the configuration.',
  );
};

export const openSales = async (load: ChannelLoad, file: SourceFile) => {
  const { configuration, channel, calendar } = load;
  const { profile, header, headerLine } = await detected(load, file, isSalesProfile);
  if (!isSalesProfile(profile))
    throw new ExportError('E_EXPORT_PROFILE', file.path, 'it is no sales export', 'Name a sales export.');
  const read = rowReader(header);
  const context: SaleContext = {
    channel: channel.name,
    file: file.name,
    calendar,
    sellerPlace: configuration.shipFrom,
    categoryOf: skuCategories(configuration.categories),
  };
  const rows = rowsBelow(readTable(file.path, file.path), headerLine);
  return {
    profile,
    header,
    context,
    read,
    groups: groupRows(rows, header.length, profile.shape, profile.map.line.present, read),
  };
};

async function* rowsBelow(rows: AsyncIterable<TableRow>, headerLine: number): AsyncGenerator<TableRow> {
  for await (const row of rows) if (row.line > headerLine) yield row;
}
