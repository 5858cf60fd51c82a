import { wallTimeIn, zoneClock } from '../../kernel/local-time.ts';
import { isChannelOr } from '../sales/profile/locale.ts';
import { rowReader } from '../sales/row-reader.ts';
import { readableRows } from './readable-rows.ts';
import type { RecognisedFile } from './survey-folder.ts';

/** Time zones of US sellers, most populous first: if the dates fit two zones, the first is taken. */
const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
] as const;

const ABBREVIATIONS: Readonly<Record<string, (typeof ZONES)[number]>> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  P: 'America/Los_Angeles',
};

/** Maximum rows read per file: summer and winter dates together show whether a zone observes daylight saving time. */
const ROWS_MAX = 20_000;

/**
 * Guess the time zone from the dates of the exports: from UTC offsets, zone abbreviations, or a zone column.
 * `undefined` if they have none, if the offsets fit no US zone, or if two exports are of different zones: a marketplace
 * keeps a clock of its own, and no number of its rows proves where the seller is.
 */
export const guessTimeZone = async (files: readonly RecognisedFile[]): Promise<string | undefined> => {
  const zones = new Set<string>();
  for (const file of files) for (const zone of await zonesIn(file)) zones.add(zone);
  const [zone, ...others] = zones;
  return others.length === 0 ? zone : undefined;
};

const zonesIn = async (file: RecognisedFile): Promise<readonly string[]> => {
  const { profile, header } = file.found;
  if (!('locale' in profile)) return [];
  const { zone, columns } = profile.locale.date;
  if (isChannelOr(zone)) return [];
  const read = rowReader(header, profile.file);
  const cells =
    typeof zone === 'string' ? columns.map((column) => read.text(column)) : [read.text(zone.column)];
  const texts = new Set<string>();
  let rows = 0;
  for await (const row of readableRows(file)) {
    texts.add(cells.map((cell) => cell(row)).join(' '));
    rows += 1;
    if (rows === ROWS_MAX) break;
  }
  if (typeof zone !== 'string') return [...texts].flatMap((text) => zone.map[text] ?? []);
  if (zone === 'cell-abbreviation')
    return [...texts].flatMap((text) => ABBREVIATIONS[/\b([ECMP])[SD]T\b/.exec(text)?.[1] ?? ''] ?? []);
  return zone === 'cell-offset' ? zoneOfOffsets([...texts]) : [];
};

const STAMP = /(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d).*?([+-])(\d\d):?(\d\d)$/;
const MINUTE_MS = 60_000;

/**
 * A file is of the first zone that fits all its timestamps. One entirely in UTC is of none: UTC is a server clock and
 * proves nothing.
 */
const zoneOfOffsets = (texts: readonly string[]): readonly string[] => {
  const stamps = texts.flatMap((text) => {
    const [, year, month, day, hour, minute, sign, hours, minutes] = STAMP.exec(text.trim()) ?? [];
    if (sign === undefined) return [];
    const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
    return [{ wall, offset }];
  });
  if (stamps.length === 0 || stamps.every(({ offset }) => offset === 0)) return [];
  const zone = ZONES.find((name) => {
    const [clock, wallTime] = [zoneClock(name), wallTimeIn(name)];
    return stamps.every(({ wall, offset }) => wallTime(clock(wall)) - clock(wall) === offset);
  });
  return zone === undefined ? [] : [zone];
};

/** The zone of this machine if it is in the US, since a shop is usually where its seller works; otherwise New York. */
export const usualTimeZone = (machine: string): string =>
  /^(America|US)\/|^Pacific\/Honolulu$/.test(machine) ? machine : ZONES[0];
