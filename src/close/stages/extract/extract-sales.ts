import { zoneCalendar } from '../../../kernel/calendar.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import { shownCount } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { holdsOfChannel } from '../../period-sales/submitted-sale.ts';
import { wasRead } from '../../reconcile/input-exceptions.ts';
import { knownProfiles } from '../../sales/load-profiles.ts';
import type { SaleFinding } from '../../sales/sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { forgetChannelsBut, lastLoad } from '../../workspace/loads.ts';
import { countOfChannel, strayAmong } from '../../workspace/sale-index.ts';
import { keepProviders, providersSent } from '../../workspace/sent-records.ts';
import { sourceFilesOf } from '../../workspace/source-files.ts';
import type { SourceFileRow } from '../../workspace/tables.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { exportReaders, isEnoughFor } from '../sharing/export-readers.ts';
import { extractCertificates } from './companions/extract-certificates.ts';
import { extractLedger } from './companions/extract-ledger.ts';
import { noteUnreadTables } from './companions/unread-tables.ts';
import { loadChannel } from './load-channel.ts';
import type { ChannelConfiguration } from './reading/channel-load.ts';
import { readingBasis } from './reading/reading-basis.ts';
import { sortSources } from './reading/sort-sources.ts';
import { channelFiles, type SourceFile } from './reading/source-file.ts';
import { isDecidedOtherwise } from './sales/post-decided.ts';

/**
 * Refuse sales of a channel that was renamed or removed from the configuration: they would stay posted under a name
 * that no one looks for any more. What else is stored about such a channel is deleted.
 *
 * @throws {TieoutError} E_CHANNEL_UNKNOWN
 */
const checkChannels = async (workspace: Workspace, { channels }: Configuration): Promise<void> => {
  const names = channels.map(({ name }) => name);
  const stray = await strayAmong(workspace, names);
  if (!stray) return forgetChannelsBut(workspace, names);
  const { channel } = nameOfKey(stray.key);
  const sales = await countOfChannel(workspace, channel);
  throw new TieoutError({
    code: 'E_CHANNEL_UNKNOWN',
    message: `the workspace holds ${sales} ${sales === 1 ? 'sale' : 'sales'} of the channel "${channel}", which the configuration does not name`,
    nextStep: 'Name the channel as it was named before, or begin with another workspace database',
  });
};

/**
 * Refuse another provider for a channel of which records were sent: all of them would be recorded once more, and those
 * under the old provider would be read back no longer. The provider is stored before the first send. If the service
 * refused everything under it, the new one replaces it.
 *
 * @throws {TieoutError} E_PROVIDER_CHANGED
 */
const checkProviders = async (ports: ClosePorts): Promise<void> => {
  const { configuration } = ports;
  const configured = new Map(
    configuration.channels.map(({ name }) => [name, providerOf(configuration, name)]),
  );
  for (const { channel, provider } of await providersSent(ports)) {
    const now = configured.get(channel) ?? provider;
    if (now === provider) continue;
    if (!(await holdsOfChannel(ports, channel))) {
      await keepProviders(ports, [{ channel, provider: now }]);
      continue;
    }
    throw new TieoutError({
      code: 'E_PROVIDER_CHANGED',
      message: `the records of the channel "${channel}" were sent under the provider "${provider}", and the configuration names "${now}": all of them would be recorded once more`,
      nextStep: `Write \`provider: ${provider}\` for the channel; or delete its records from the service and begin with another workspace database`,
    });
  }
};

/**
 * Load every sale of every configured export into the workspace. If the files, profile and settings of a channel are
 * unchanged, this costs only a check of its files; otherwise all of it is read again, and each record replaces its own
 * row by key. The register of exemption certificates and the ledger are read again each time.
 */
export const extractSales = async (
  ports: ClosePorts,
  advanced: Advanced,
): Promise<StageResult<readonly SourceFileRow[]>> => {
  const { configuration, workspace } = ports;
  await checkChannels(workspace, configuration);
  await checkProviders(ports);
  await extractCertificates(ports);
  await extractLedger(ports);
  let loaded = 0;
  const read: { readonly channel: ChannelConfiguration; readonly again: () => Promise<void> }[] = [];
  const given = channelFiles(configuration.channels, configuration.resolvePath);
  for await (const { channel, sources, companions } of given) {
    const basis = readingBasis(ports, channel);
    const digest = digestOf({
      basis,
      files: [...sources, ...companions].map(({ name, sha256 }) => ({ name, sha256 })),
    });
    const load = async (): Promise<void> => {
      const profiles = knownProfiles(channel.profile, configuration.resolvePath);
      const sorted = await sortSources(channel, profiles, { sources, companions });
      await loadChannel(
        {
          configuration,
          workspace,
          channel,
          ...sorted,
          profiles,
          digest,
          basis,
          calendar: zoneCalendar(configuration.timeZone),
          readers: exportReaders(ports),
        },
        advanced,
      );
    };
    read.push({ channel, again: load });
    const known = await lastLoad({ workspace, channel });
    if (known?.digest === digest) continue;
    loaded += 1;
    // The first reading of an export means work for the threads in the later stages, so start them.
    if (!known && ports.threads && isEnoughFor(ports.threads, bytesOf(sources))) ports.threads.begin();
    await load();
  }
  // Which record a decision means can depend on the channels that are read later.
  if (read.length > 1)
    for (const { channel, again } of read)
      if (await isDecidedOtherwise({ configuration, workspace, channel })) await again();
  const beside = await noteUnreadTables(ports);
  const files = (await sourceFilesOf(workspace)).filter(wasRead);
  return { value: files, summary: summaryOf(files, loaded, beside) };
};

const bytesOf = (files: readonly SourceFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns what the reading of exports came to, in words. */
export const summaryOf = (
  files: readonly SourceFileRow[],
  loaded: number,
  beside: readonly string[],
): string => {
  const total = (pick: (file: SourceFileRow) => number): string =>
    shownCount(files.reduce((running, file) => running + pick(file), 0));
  const rows = `${total((file) => file.rows)} rows: ${total((file) => file.used)} used, ${total((file) => file.ignored)} ignored, ${total((file) => file.rejected)} rejected`;
  const besideSaid = beside.length > 0 ? [`beside the exports and not read: ${beside.join(', ')}`] : [];
  if (loaded === 0) return [`${rows}, as read before`, ...besideSaid].join('; ');
  const notices = files.flatMap((file) => noticesOf(file).map((notice) => ({ ...notice, path: file.path })));
  const leftOut = notices.filter(({ code }) => code === 'left-out').map(({ path }) => path);
  return [
    rows,
    ...(leftOut.length > 0 ? [`left out as no exports of sales: ${[...new Set(leftOut)].join(', ')}`] : []),
    ...besideSaid,
    ...notices.filter(({ code }) => SAID_FIRST.has(code)).map(({ path, message }) => `${path}: ${message}`),
  ].join('; ');
};

const noticesOf = ({ notices }: SourceFileRow): readonly SaleFinding[] =>
  JSON.parse(notices) as SaleFinding[];

/** Findings on files that people should see before the close continues with their sales. */
const SAID_FIRST = new Set([
  'cut-off',
  'days-missing',
  'files-overlap',
  'no-refund-column',
  'no-refund-dates',
  'tax-report-totals',
  'time-zone-differs',
]);
