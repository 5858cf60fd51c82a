import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import { decisionIndexOf, type LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { ChannelConfiguration } from '../configuration/schema.ts';
import type { Decision } from '../judge/decision.ts';
import { canBePosted, isPostedAsSellers } from '../judge/finding.ts';
import { wasRead } from '../judge/input-findings.ts';
import { codeOf } from '../judge/sale-findings.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { compareKeys } from '../kernel/text.ts';
import { OTHER_STATE, SOLD_IN_PERSON } from '../sales/read-ship-to.ts';
import {
  asInExport,
  asSellers,
  holding,
  isHolding,
  isPosted,
  type Sale,
  type SaleFinding,
} from '../sales/sale.ts';
import { bareName, nameInChannel, saleKey } from '../sales/sale-name.ts';
import { noOutcomes, type OutcomeFigures } from './control-figures.ts';
import { dayNotices } from './file-notes.ts';
import type { ChannelLoad } from './open-export.ts';
import { type ChannelReading, type PassedOver, readChannel, speaksAlone } from './read-channel.ts';
import { type Companions, readCompanions } from './read-companions.ts';
import { settleContested } from './read-contested.ts';
import {
  inputsFrom,
  missingRefundColumns,
  type ReadFile,
  type ReadSales,
  type SourceFileRow,
  sourceFileRow,
  summaryOf,
  taxColumnOf,
  unreadFile,
} from './read-file.ts';
import { completeRefunds, findRefundedParts } from './read-refunds.ts';
import { openStores, replaceSale, type StatedAside, type Stores, salesWith } from './read-stores.ts';
import {
  type Exports,
  type FileReading,
  type LockedIndex,
  NO_LOCKS,
  type RefundedOrderOf,
} from './shapes.ts';
import { readLeftOut } from './sort-sources.ts';
import { channelFiles, readLedger, readRegister, refuseChanged } from './source-file.ts';
import { rowsUnread, tablesUnread } from './unread-tables.ts';

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
  const files = channelFiles(configuration.channels, configuration.resolvePath);
  const { channels, refunded, rows } = await readChannels(stores, files, advanced);
  const has = (key: string): boolean => stores.keys.get(key) !== undefined;
  const isKnown = (key: string): boolean => has(key) || locked.has(key) !== undefined;
  const { beside, tables } = await tablesUnread(configuration, rows);
  const unread = await rowsUnread(tables, configuration, isKnown);
  const read = rows.filter(wasRead);
  return {
    certificates,
    ledger,
    beside,
    has,
    refunded,
    rows: read.reduce((sum, file) => sum + file.rows, 0),
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
  listed: AsyncIterable<ListedChannel> | Iterable<ListedChannel>,
  advanced: (rows: number) => void,
) => {
  const channels: (ChannelRows & { readonly leftOut: readonly SourceFileRow[] })[] = [];
  for await (const { channel, ...own } of listed) {
    const reading = await readChannel(stores, channel, own, advanced);
    await settleContested(reading);
    holdUnplaced(reading);
    const companions = await readCompanions(reading);
    findRefundedParts(reading);
    const { sources, companions: beside, leftOut: others } = reading.sorted;
    const leftOut = await leftOutRows(reading);
    await refuseChanged([...sources, ...beside, ...others.map(({ file }) => file)]);
    channels.push({ reading, companions, leftOut });
  }
  postDecided(stores);
  const refunded = new Map<string, RefundedOrderOf>();
  for (const { reading, companions } of channels) {
    const { repayments } = companions;
    await completeRefunds({ reading, repayments, silent: silentFiles(reading), refunded });
  }
  addNoSales(stores, refunded);
  const rows = channels.flatMap((channel) => [...channel.leftOut, ...rowsOfChannel(channel)]);
  rows.sort((one, other) => compareKeys(one.channel, other.channel) || compareKeys(one.path, other.path));
  return { channels, refunded, rows };
};

/** A channel with its files, and the files of the days of its refunds. */
type ListedChannel = { readonly channel: ChannelConfiguration } & Parameters<typeof readChannel>[2];

/** Returns a file that locked periods have settled, without what it has. */
const notRead = ({ source, settled: { first, last } }: PassedOver): ReadFile => {
  const message = `not read: the locked books of ${first} to ${last} have settled all that it says`;
  return unreadFile(source, [{ code: 'settled', message }]);
};

const silentFiles = ({ files }: ChannelReading): ReadonlySet<string> =>
  new Set(files.flatMap(({ read }) => (read && !read.tellsRefunds ? read.path : [])));

/** Holds sales in person where exports name several places of business and none has an address. */
const holdUnplaced = ({ stores, load, files }: ChannelReading): void => {
  const { channel } = load;
  const doubt = doubtOfPlaces(channel, new Set(files.flatMap(({ read }) => read?.places ?? [])));
  if (!doubt) return;
  const isWanted = (key: string): boolean =>
    key.startsWith(`${channel.name}/`) && stores.keys.get(key)?.isDoubtful === true;
  for (const day of stores.sales.days())
    for (const found of stores.sales.find(day, isWanted)) {
      const sale = withoutPlace(found.sale, doubt);
      if (sale) replaceSale(stores, found, sale);
    }
};

/** Applies the decisions to post to the sales of all channels that are held. */
const postDecided = (stores: Stores): void => {
  const { configuration } = stores;
  if (!configuration.decided.some(({ verdict }) => verdict === 'post')) return;
  const salesOf = (keys: readonly string[]) => [...salesWith(stores, keys)].flat().map(({ sale }) => sale);
  for (const day of stores.sales.days())
    for (const found of stores.sales.find(day, (key) => stores.keys.get(key)?.isDoubtful === true)) {
      const isHeld = found.sale.findings.some((each) => isHolding(each) || isPosted(each));
      const sale = isHeld ? decided({ configuration, salesOf }, found.sale) : undefined;
      if (sale) replaceSale(stores, found, sale);
    }
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

const inFile = (one: ChannelSetAside, other: ChannelSetAside): number =>
  compareKeys(one.channel, other.channel) ||
  compareKeys(one.origin.file, other.origin.file) ||
  one.origin.line - other.origin.line;

const daysOf = ({ days, read, take }: Stores['sales']): Exports['sales'] => ({
  days: () => days().map(calendarDate),
  read,
  take,
});

const asidesOf = ({ asides }: Stores): Exports['asides'] => ({
  days: () => asides.days().flatMap((day) => (day === '' ? [] : calendarDate(day))),
  read: (day) => asides.read(day).map(asideOf).sort(inFile),
  take: (day) => asides.take(day).map(asideOf).sort(inFile),
});

/** Returns how the files of a channel were read. Parts of an order are told apart by all files together. */
const readingsOf = ({ load, sorted, reader, files }: ChannelReading): readonly FileReading[] => {
  const isAlone = speaksAlone(load, sorted);
  return files.flatMap(({ source: { name: path, sha256 }, open, read, tally }) => {
    const days = [...(read?.days ?? [])].sort();
    const [first] = days;
    const last = days.at(-1);
    if (first === undefined || last === undefined) return [];
    const { rejected, review } = tally.outcomes();
    const isSettled = isAlone && !open.profile.shape.parts && rejected.records + review.records === 0;
    return [{ channel: load.channel.name, path, sha256, reader, first, last, isSettled }];
  });
};

type ChannelRows = { readonly reading: ChannelReading; readonly companions: Companions };

const rowOf = ({ load }: ChannelReading, read: ReadFile, outcomes: OutcomeFigures): SourceFileRow =>
  sourceFileRow(load.channel.name, read, outcomes);

const leftOutRows = async (reading: ChannelReading): Promise<readonly SourceFileRow[]> => {
  const rows: SourceFileRow[] = [];
  for (const leftOut of reading.sorted.leftOut) {
    const file = await readLeftOut(leftOut);
    const outcomes = noOutcomes(0);
    outcomes.ignored.records = file.whole.rows;
    outcomes.ignored.rows = file.whole.rows;
    rows.push(rowOf(reading, file, outcomes));
  }
  return rows;
};

/** Returns the rows of the exports and companions of a channel, with what its files together show. */
const rowsOfChannel = ({ reading, companions }: ChannelRows): readonly SourceFileRow[] => {
  const files = reading.files.map(({ read, ...file }) => ({ ...file, read: read as ReadSales }));
  const together = dayNotices(
    files.map(({ read: { path: name, profile, header, days, undated }, open }) => {
      const noRefunds = missingRefundColumns(open.profile, header);
      return { name, profile, days, undated, noRefunds };
    }),
    companions.files.length > 0,
  );
  return [
    ...reading.passedOver.map((file) => rowOf(reading, notRead(file), noOutcomes(0))),
    ...companions.files.map(({ read, outcomes }) => rowOf(reading, read, outcomes)),
    ...files.map(({ read, tally, open }) => {
      const notices = [...read.notices, ...(together.get(read.path) ?? [])];
      const taxColumn = taxColumnOf(open.profile, open.meter.columns);
      return {
        ...rowOf(reading, { ...read, notices }, tally.outcomes()),
        orderTax: tally.orderTax(),
        ...(taxColumn !== undefined && { taxColumn }),
      };
    }),
  ];
};

/** Decisions on one sale, with those of the sales of these keys that the exports have. */
type DecidingOne = Pick<ChannelLoad, 'configuration'> & {
  readonly salesOf: (keys: readonly string[]) => readonly Sale[];
};

/** Returns a sale after the decisions; `undefined` if they leave it as it is. */
export const decided = (of: DecidingOne, sale: Sale): Sale | undefined => {
  const reasons = sale.findings.filter((finding) => isHolding(finding) || isPosted(finding));
  const posted = new Set<SaleFinding>();
  for (const reason of reasons) if (isToPost(of, sale, reason)) posted.add(reason);
  if (reasons.every((reason) => posted.has(reason) === isPosted(reason))) return undefined;
  const findings = sale.findings.map((finding): SaleFinding => {
    if (!reasons.includes(finding)) return finding;
    return { ...finding, holds: posted.has(finding) ? 'posted' : true };
  });
  const stated = asInExport(sale);
  return {
    ...([...posted].some(({ code }) => isPostedAsSellers(code)) ? asSellers(stated) : stated),
    findings,
    outcome: findings.some(isHolding) ? 'review' : 'warning',
  };
};

const isToPost = (of: DecidingOne, sale: Sale, reason: SaleFinding): boolean => {
  if (!canBePosted(reason.code)) return false;
  const found = postsOf(of, sale, reason);
  const own = nameInChannel(sale.channel, sale.id);
  const isNamed = ({ records }: Decision): boolean => records.some((record) => bareName(record) === own);
  return found.some(isNamed) || (found.length > 0 && !isOfSeveral(of, sale, reason));
};

/** Returns the decisions to post a sale in spite of a reason, under any of its names. */
const postsOf = (
  { configuration }: DecidingOne,
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
const isOfSeveral = (of: DecidingOne, { channel, kind, id }: Sale, reason: SaleFinding): boolean => {
  const others = of.configuration.channels.filter(({ name }) => name !== channel);
  const keys = others.map(({ name }) => saleKey(name, kind, id));
  const sales = keys.length === 0 ? [] : of.salesOf(keys);
  return sales.some(
    (sale) => sale.findings.some(({ code }) => code === reason.code) && postsOf(of, sale, reason).length > 0,
  );
};

/** Returns why the place of sales in person is not known, if the exports of a channel name several. */
export const doubtOfPlaces = (
  { locations }: Pick<ChannelConfiguration, 'locations'>,
  names: ReadonlySet<string>,
): SaleFinding | undefined => {
  if (names.size < 2 || Object.keys(locations).length > 0) return undefined;
  const list = [...names].sort().join(', ');
  const message = `the exports name ${names.size} places of business (${list}), and the channel has no \`locations\`: give each of them its address there`;
  return { code: 'unknown-location', message };
};

/** Returns a sale in person as held for this reason; `undefined` for any other. */
export const withoutPlace = (sale: Sale, doubt: SaleFinding): Sale | undefined => {
  const others = sale.findings.filter(({ code }) => code !== SOLD_IN_PERSON && code !== OTHER_STATE);
  if (others.length === sale.findings.length) return undefined;
  return { ...sale, outcome: 'review', findings: [...holding([doubt]), ...others] };
};
