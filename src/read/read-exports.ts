import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import { decisionIndexOf, type LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { Decision } from '../judge/decision.ts';
import { canBePosted, isPostedAsSellers } from '../judge/finding.ts';
import { wasRead } from '../judge/input-findings.ts';
import { codeOf } from '../judge/sale-findings.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { compareKeys } from '../kernel/text.ts';
import { asSellers, isHolding, type Sale, type SaleFinding } from '../sales/sale.ts';
import { bareName, nameInChannel, saleKey } from '../sales/sale-name.ts';
import { type FileNotes, missingDays } from './file-notes.ts';
import { type ChannelReading, type PassedOver, readChannel } from './read-channel.ts';
import { readCompanions } from './read-companions.ts';
import { settleContested } from './read-contested.ts';
import {
  inputsFrom,
  missingRefundColumns,
  readFile,
  type SourceFileRow,
  summaryOf,
  taxColumnOf,
  unreadFile,
} from './read-file.ts';
import { completeRefunds, findRefundedParts } from './read-refunds.ts';
import { openStores, replaceSale, type StatedAside, type Stores, salesWith } from './read-stores.ts';
import {
  type Exports,
  type FileReading,
  inFile,
  type LockedIndex,
  NO_LOCKS,
  type RefundedOrderOf,
} from './shapes.ts';
import {
  channelFiles,
  filesUnread,
  type ListedChannel,
  readLedger,
  readLeftOut,
  readRegister,
  refuseChanged,
} from './sort-sources.ts';

type ReadingOptions = {
  /** A folder for what memory does not hold. */
  readonly folder: string;
  readonly locked?: LockedIndex;
  /** Called with the rows read since the last call. */
  readonly advanced?: (rows: number) => void;
  readonly bytesMax?: number;
};

/**
 * Reads every export of every channel from nothing, whatever period its records are of.
 *
 * @throws {TieoutError} E_EXPORT_…, E_PROFILE_…, E_CERTIFICATES_…, E_LEDGER_…
 */
export const readExports = async (
  configuration: LoadedConfiguration,
  { folder, locked = NO_LOCKS, advanced = () => {}, bytesMax }: ReadingOptions,
): Promise<Exports> => {
  const certificates = await readRegister(configuration);
  const ledger = await readLedger(configuration);
  const stores = openStores(configuration, locked, folder, bytesMax);
  const files = await channelFiles(configuration);
  const { channels, refunded, rows } = await readChannels(stores, files, advanced);
  const { beside, rows: unread } = await filesUnread(configuration, rows);
  const read = rows.filter(wasRead);
  return {
    certificates,
    ledger,
    has: stores.keys.onlyNames(),
    refunded,
    inputs: inputsFrom([...unread, ...rows]),
    headers: new Map(read.map(({ channel, path, header }) => [`${channel}/${path}`, header])),
    readings: channels.flatMap(({ reading }) => readingsOf(reading)),
    settled: channels.flatMap(({ reading }) =>
      reading.passedOver.map(({ source, settled }) => ({ ...settled, path: source.name })),
    ),
    summary: summaryOf(read, beside),
    sales: daysOf(stores.sales),
    asides: asidesOf(stores),
    undated: stores.asides.read('').map(asideOf).sort(inFile),
  };
};

/** Reads the files of channels into stores. The rows of files are in order of channel and path. */
export const readChannels = async (
  stores: Stores,
  listed: Iterable<ListedChannel>,
  advanced: (rows: number) => void,
) => {
  const channels = await Array.fromAsync(listed, async (own) => {
    const reading = await readChannel(stores, own, advanced);
    await settleContested(reading);
    const companions = await readCompanions(reading);
    findRefundedParts(reading);
    const { sources, companions: beside, leftOut: others } = reading.sorted;
    const leftOut = await Array.fromAsync(others, (file) => readLeftOut(own.channel.name, file));
    await refuseChanged([...sources, ...beside, ...others.map(({ file }) => file)]);
    return { reading, companions, leftOut };
  });
  postDecided(stores);
  const refunded = new Map<string, RefundedOrderOf>();
  for (const { reading } of channels) await completeRefunds(reading, refunded);
  addNoSales(stores, refunded);
  const rows = channels.flatMap(({ reading, companions, leftOut }) => [
    ...leftOut,
    ...companions,
    ...rowsOfChannel(reading, companions.length > 0),
  ]);
  rows.sort((one, other) => compareKeys(one.channel, other.channel) || compareKeys(one.path, other.path));
  return { channels, refunded, rows };
};

/** Returns a file that locked periods have settled, without what it has. */
const notRead = (channel: string, { source, settled: { first, last } }: PassedOver): SourceFileRow => {
  const message = `not read: the locked books of ${first} to ${last} have settled all that it says`;
  return unreadFile(channel, source, [{ code: 'settled', message }]);
};

/** Notes why the exports do not count an order as a sale, of those that refunds name. */
const addNoSales = (stores: Stores, refunded: Map<string, RefundedOrderOf>): void => {
  const wanted = new Set([...refunded].flatMap(([key, { order }]) => (order ? [] : key)));
  if (wanted.size === 0) return;
  const found = new Map<string, StatedAside>();
  for (const day of stores.asides.days())
    for (const one of stores.asides.find(day, () => true)) {
      if (!wanted.has(one.record) || one.aside.outcome !== 'ignored') continue;
      const first = found.get(one.record);
      if (!first || inFile(asideOf(one), asideOf(first)) < 0) found.set(one.record, one);
    }
  for (const [key, { aside }] of found)
    refunded.set(key, { ...(refunded.get(key) as RefundedOrderOf), noSale: aside.reason.message });
};

const asideOf = ({ channel, aside }: StatedAside): ChannelSetAside => ({ ...aside, channel });

const daysOf = ({ days, find, read, parts }: Stores['sales']): Exports['sales'] => ({
  days: () => days().map(calendarDate),
  find,
  read,
  parts,
});

const asidesOf = ({ asides }: Stores): Exports['asides'] => ({
  days: () => asides.days().flatMap((day) => (day === '' ? [] : calendarDate(day))),
  read: (day) => asides.read(day).map(asideOf).sort(inFile),
});

/** Returns how the files of a channel were read. Parts of an order are told apart by all files together. */
const readingsOf = ({ channel, isAlone, reader, files }: ChannelReading): readonly FileReading[] =>
  files.flatMap(({ source: { name: path, sha256 }, open, read, tally }) => {
    const [first] = read?.days ?? [];
    const last = read?.days.at(-1);
    if (first === undefined || last === undefined) return [];
    const { rejected, review } = tally.outcomes;
    const isSettled = isAlone && !open.profile.shape.parts && rejected.records + review.records === 0;
    return [
      {
        channel: channel.name,
        path,
        sha256,
        reader,
        first,
        last,
        isSettled,
      },
    ];
  });

/** Returns the rows of the exports of a channel, with what its files together show. */
const rowsOfChannel = (
  { channel: { name }, files, passedOver }: ChannelReading,
  hasCompanions: boolean,
): readonly SourceFileRow[] => {
  const notes = files.map(({ read, ...file }) => ({
    ...file,
    path: file.source.name,
    ...(read as FileNotes),
  }));
  const ofProfiles = Map.groupBy(notes, ({ open }) => open.profile.id).values();
  const missing = [...ofProfiles].map(missingDays);
  return [
    ...passedOver.map((file) => notRead(name, file)),
    ...notes.map(({ path, source, tally, open, notices }) => {
      const { profile, header, meter } = open;
      const noRefunds = hasCompanions ? [] : missingRefundColumns(profile, header);
      const taxColumn = taxColumnOf(profile, meter.columns);
      const all = [
        ...open.notices,
        ...notices,
        ...noRefundNotice(noRefunds),
        ...missing.flatMap((found) => found.get(path) ?? []),
      ];
      return {
        ...readFile(name, source, open, meter, all),
        outcomes: tally.outcomes,
        orderTax: tally.orderTax(),
        ...(taxColumn !== undefined && { taxColumn }),
      };
    }),
  ];
};

const noRefundNotice = (columns: readonly string[]): readonly SaleFinding[] => {
  if (columns.length === 0) return [];
  const message = `it has no column of what was given back (${columns.join(' or ')}), so that a refund of a part of an order is not seen`;
  return [{ code: 'no-refund-column', message }];
};

/** Applies the decisions to post to the sales of all channels that are held. */
const postDecided = (stores: Stores): void => {
  if (!stores.configuration.decided.some(({ verdict }) => verdict === 'post')) return;
  for (const day of stores.sales.days())
    for (const found of stores.sales.find(day, (key) => stores.keys.get(key)?.isDoubtful === true)) {
      const { sale } = found;
      const posted = sale.findings.filter((each) => isHolding(each) && isToPost(stores, sale, each));
      if (posted.length === 0) continue;
      const findings = sale.findings.map(
        (each): SaleFinding => (posted.includes(each) ? { ...each, holds: 'posted' } : each),
      );
      const isSellers = posted.some(({ code }) => isPostedAsSellers(code));
      const outcome = findings.some(isHolding) ? 'review' : 'warning';
      replaceSale(stores, found, { ...(isSellers ? asSellers(sale) : sale), findings, outcome });
    }
};

const isToPost = (stores: Stores, sale: Sale, reason: SaleFinding): boolean => {
  if (!canBePosted(reason.code)) return false;
  const found = postsOf(stores, sale, reason);
  const own = nameInChannel(sale.channel, sale.id);
  const isNamed = ({ records }: Decision): boolean => records.some((record) => bareName(record) === own);
  return found.some(isNamed) || (found.length > 0 && !isOfSeveral(stores, sale, reason));
};

/** Returns the decisions to post a sale in spite of a reason, under any of its names. */
const postsOf = (
  { configuration }: Stores,
  { channel, id, origin, businessDate }: Sale,
  reason: SaleFinding,
): readonly Decision[] =>
  decisionIndexOf(configuration)
    .ofRecord([nameInChannel(channel, id), origin.record, id], [codeOf(reason)], businessDate)
    .filter(({ verdict }) => verdict === 'post');

/**
 * Whether the decisions could as well be about a record of the same name and with the same finding of another channel,
 * so that the name alone is of both.
 */
const isOfSeveral = (stores: Stores, { channel, kind, id }: Sale, reason: SaleFinding): boolean => {
  const others = stores.configuration.channels.filter(({ name }) => name !== channel);
  const keys = others.map(({ name }) => saleKey(name, kind, id));
  return [...salesWith(stores, keys)].some(
    ({ sale }) =>
      sale.findings.some(({ code }) => code === reason.code) && postsOf(stores, sale, reason).length > 0,
  );
};
