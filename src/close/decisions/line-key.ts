import { parseVersion } from '../../kernel/amended-version.ts';
import { formatMoney, type Money, parseMoney } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';

/** What a key says. It starts with a period and holds words, so that no spreadsheet takes it for a figure or a date. */
export type LineKey = {
  readonly period: string;
  readonly code: string;
  /** The place of a cause; empty where it has none, or where a record is named. */
  readonly place: string;
  readonly record: string;
  /** The tax collected on the record, where the decision is about exactly that. */
  readonly tax?: Money;
};

/** `2026-10 R10 in AZ`, `2026-10 bad-cell of 5115`, `2026-10 R99 of D-523 at 5.00`. */
export const lineKey = ({ period, code, place, record, tax }: LineKey): string => {
  const what = record !== '' ? ` of ${record}` : place !== '' ? ` in ${place}` : '';
  return `${period} ${code}${what}${tax === undefined ? '' : ` at ${formatMoney(tax)}`}`;
};

const FORM =
  /^(?<period>\S+) (?<code>[A-Za-z][\w-]*)(?: of (?<record>.+?)(?: at (?<tax>-?\d+\.\d\d))?| in (?<place>.+))?$/;

/** The parts of a key; `undefined` when the text is none. */
export const parseLineKey = (text: string): (LineKey & { readonly of: FilingPeriod }) | undefined => {
  const { period = '', code = '', place = '', record = '', tax } = FORM.exec(text)?.groups ?? {};
  const of = parseVersion(period);
  const amount = tax === undefined ? undefined : parseMoney(tax);
  return of && { of, period, code, place, record, ...(amount !== undefined && { tax: amount }) };
};

/** The key as it is compared: spreadsheets and people leave other blanks and capitals. */
export const sameKey = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();
