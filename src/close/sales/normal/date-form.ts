import { DefectError } from '../../../kernel/errors.ts';
import type { WallTime } from '../../../kernel/local-time.ts';

/** What a cell of one form says: the numbers on its calendar and clock, and its zone where it names one. */
export type DateParts = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `undefined` when the cell tells only the day. */
  readonly wall: WallTime | undefined;
  /** The distance to UTC that the cell states. */
  readonly offsetMs: number | undefined;
};

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** US zones by their abbreviations, in hours. Each is one offset; which of the two holds is the writer's affair. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  PST: -8,
  PDT: -7,
  MST: -7,
  MDT: -6,
  CST: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  UTC: 0,
  GMT: 0,
};

const TOKENS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<year>\\d{2})',
  MMMM: '(?<name>[A-Za-z]+)',
  MMM: '(?<name>[A-Za-z]{3})\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})(?:\\.\\d+)?',
  a: '(?<half>[AaPp])\\.?[Mm]\\.?',
  ZZZ: '(?<offset>Z|UTC|[+-]\\d{2}:?\\d{2})',
  zzz: '(?<zone>[A-Z]{3,4})',
};
const TOKEN = new RegExp(`${Object.keys(TOKENS).join('|')}|[()]|[^A-Za-z]|[A-Za-z]`, 'g');

/** A reader of one form of date cells, compiled once; `undefined` for what is not of that form, or is no day. */
export const dateForm = (form: string): ((text: string) => DateParts | undefined) => {
  const pattern = new RegExp(`^${patternOf(form)}$`);
  return (text) => {
    const groups = pattern.exec(text)?.groups;
    return groups && partsOf(groups);
  };
};

const patternOf = (form: string): string =>
  (form.match(TOKEN) ?? [])
    .map((token) => {
      if (token === '(') return '(?:';
      if (token === ')') return ')?';
      if (token === ' ') return '\\s+';
      return TOKENS[token] ?? token.replace(/[.*+?^$[\]\\/{}|]/, '\\$&');
    })
    .join('');

type Groups = Readonly<Record<string, string | undefined>>;

const partsOf = (groups: Groups): DateParts | undefined => {
  const year = Number(groups['year']?.length === 2 ? `20${groups['year']}` : groups['year']);
  const month = groups['name'] === undefined ? Number(groups['month']) : monthOf(groups['name']);
  const day = Number(groups['day']);
  if (!isDay(year, month, day)) return undefined;
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const offsetMs = offsetOf(groups);
  if (offsetMs === 'unknown') return undefined;
  if (groups['hour'] === undefined) return { date, wall: undefined, offsetMs };
  const hour = hourOf(Number(groups['hour']), groups['half']);
  const [minute, second] = [Number(groups['minute'] ?? 0), Number(groups['second'] ?? 0)];
  if (hour === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  return { date, wall: Date.UTC(year, month - 1, day, hour, minute, second), offsetMs };
};

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1900 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  (day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate());

const monthOf = (name: string): number => {
  const given = name.toLowerCase();
  return MONTHS.findIndex((month) => month === given || (given.length === 3 && month.startsWith(given))) + 1;
};

/** Noon is 12 PM and midnight 12 AM. */
const hourOf = (hour: number, half: string | undefined): number | undefined => {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
};

const offsetOf = ({ offset, zone }: Groups): number | undefined | 'unknown' => {
  if (zone !== undefined) {
    const hours = ABBREVIATIONS[zone];
    return hours === undefined ? 'unknown' : hours * HOUR_MS;
  }
  if (offset === undefined) return undefined;
  if (offset === 'Z' || offset === 'UTC') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 14 || minutes > 59) return 'unknown';
  return (offset.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
};

/** The form with the places of day and month exchanged; `undefined` when it has month names, or the year first. */
export const exchangedForm = (form: string): string | undefined => {
  if (/MMM/.test(form) || /^yy/.test(form)) return undefined;
  const parts = /^(M+|d+)([^A-Za-z]+)(M+|d+)(.*)$/s.exec(form);
  if (!parts) return undefined;
  const [, first, between, second, rest] = parts;
  if (first === undefined || second === undefined)
    throw new DefectError(`the date form ${form} has no day and month`);
  return `${second}${between}${first}${rest}`;
};
