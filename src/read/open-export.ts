import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { ChannelConfiguration } from '../configuration/schema.ts';
import { facilitates, isStateFee } from '../filing/load-filing-law.ts';
import { withArticle } from '../kernel/text.ts';
import { type Detected, detectProfile, isSalesProfile, type KnownProfiles } from '../sales/detect-profile.ts';
import { ExportError } from '../sales/file-source.ts';
import type { CompanionProfile, Profile, RefusedProfile } from '../sales/profile.ts';
import { provenProfile } from '../sales/read-date.ts';
import { type ReadGroup, readExport } from '../sales/read-export.ts';
import type { SaleContext } from '../sales/read-sale.ts';
import { rowReader } from '../sales/row-reader.ts';
import { productCategories, withoutCategories } from '../sales/sale-words.ts';
import type { TableRow } from '../sales/table-row.ts';
import { columnMeter, noteTaker } from './file-notes.ts';
import { stepReader } from './settle-record.ts';
import { type RepairedRows, type SourceFile, withoutRepaired } from './sort-sources.ts';

/** Records that are read together. */
const BATCH_ROWS = 250;

/**
 * Detects the profile of a file of a channel, and checks that it is of the kind that the configuration expects there.
 */
export const detected = async <Kind extends Profile>(
  load: Pick<ChannelLoad, 'profiles'>,
  file: SourceFile,
  isWanted: (profile: Profile) => profile is Kind,
): Promise<Detected & { readonly profile: Kind }> => {
  const { profiles, wanted } = load.profiles;
  const found = await detectProfile(file, profiles, wanted);
  const { profile } = found;
  if (profile.capability === 'refused' || profile.capability === 'control-total')
    throw refusedProfile(file, profile);
  const isNamed = wanted === undefined || !isSalesProfile(profile) || profile.id === wanted;
  if (isWanted(profile) && isNamed) return { ...found, profile };
  const role = isSalesProfile(profile)
    ? '`refundDates` wants the dates of refunds'
    : '`files` of the channel wants sales';
  throw new ExportError(
    'E_EXPORT_PROFILE',
    file.place,
    `it is ${withArticle(profile.title)} (${profile.id}), but ${isNamed ? role : `the channel names ${wanted} as its profile`}`,
    'advice' in profile ? profile.advice : 'Put the file where it belongs in the configuration.',
  );
};

/** The error for an export that is recognised but does not contain sales to file from. */
export const refusedProfile = (
  file: SourceFile,
  { title, id, advice }: RefusedProfile | CompanionProfile,
): ExportError =>
  new ExportError(
    'E_EXPORT_REFUSED',
    file.place,
    `it is ${withArticle(title)} (${id}), which does not say enough to close a month of sales tax`,
    advice,
  );

/** Opens an export of sales, with what proves how it is read. */
export const openExport = async (load: ChannelLoad, file: SourceFile) => {
  const { configuration, channel, calendar } = load;
  const { timeZone } = configuration;
  const found = await detected(load, file, isSalesProfile);
  const context: SaleContext = {
    channel: channel.name,
    file: file.name,
    calendar,
    timeZone,
    statedZone: channel.timeZone,
    sellerPlace: configuration.shipFrom,
    locations: channel.locations,
    shops: load.shops,
    isMarketplace: channel.marketplace,
    categoryOf: productCategories(configuration.categories),
    pickup: channel.pickup,
    isFee: isStateFee,
    facilitates,
  };
  const { header } = found;
  // A few repaired rows may not prove anything. They have the same format as the file they come from, so that file is
  // the proof.
  const original = load.repaired.originals.get(file.name) ?? file;
  const proof = await detected(load, original, isSalesProfile);
  const profile = await provenProfile(proof.profile, proof, original.name);
  const notices = [...found.notices, ...withoutCategories(configuration.categories, profile)];
  /** Measures the rows of its records. */
  const meter = columnMeter({ place: file.place, header, profile, controls: profile.controls });
  const cells = rowReader(header, profile.file);
  /** Takes the notes on its rows and records. */
  const noted = noteTaker(meter, profile, file.place);
  const repairs = load.repaired.places.get(file.sha256);
  /**
   * Yields, in batches and in order, every record of the file. Each row below the header is in one batch, and `onRow` is
   * called with it.
   */
  const records = (onRow?: (row: TableRow) => void): AsyncGenerator<readonly ReadGroup[]> =>
    withoutRepaired(readExport(found, profile, context, { batchSize: BATCH_ROWS, onRow }), repairs);
  /** Reads from the first row of a record how far it has come. */
  const stepsOf = stepReader(profile, cells);
  return {
    profile,
    header,
    notices,
    meter,
    stepsOf,
    noted,
    records,
  };
};

export type OpenExport = Awaited<ReturnType<typeof openExport>>;

/** What one channel is read with. */
export type ChannelLoad = {
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
  readonly profiles: KnownProfiles;
  readonly calendar: SaleContext['calendar'];
  /** The places of business that its records name. */
  readonly shops: Set<string>;
  /** The rows that reject files of the channel repair. */
  readonly repaired: RepairedRows;
};
