import { parseVersion } from '../../kernel/amended-version.ts';
import { formatMoney, type Money, parseMoney } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';

/** The parts of a key. Its period and words keep spreadsheets from converting it to a number or a date. */
export type LineKey = {
  readonly period: string;
  readonly code: string;
  /** The place of a cause; empty if it has none, or if a record is named. */
  readonly place: string;
  readonly record: string;
  /** The tax collected on the record, if the decision covers exactly that amount. */
  readonly tax?: Money;
  /** Digest of what is stated of the record, if the decision covers exactly that: 16 hex digits. */
  readonly stated?: string;
};

/** Codes that can be decided for a whole cause: missing rates, proved reasons of a variance, and which file is newer. */
export const CAUSES = /^(gap|newer-unknown|R(?!19|20|24|99)\d\d)$/;

/** `2026-10 R10 in AZ`, `2026-10 bad-cell of 5115`, `2026-10 R99 of D-523 at 5.00`, `2026-11 R17 of desk/order/7 as 0f3a…`. */
export const lineKey = ({ period, code, place, record, tax, stated }: LineKey): string => {
  const what = record !== '' ? ` of ${record}` : place !== '' ? ` in ${place}` : '';
  const limit = stated === undefined ? '' : ` as ${stated}`;
  return `${period} ${code}${what}${tax === undefined ? '' : ` at ${formatMoney(tax)}`}${limit}`;
};

const FORM =
  /^(?<period>\S+) (?<code>[A-Za-z][\w-]*)(?: of (?<record>.+?)(?: at (?<tax>-?\d+\.\d\d)| as (?<stated>[0-9a-f]{16}))?| in (?<place>.+))?$/;

/** Parse a key; `undefined` if the text is not one. */
export const parseLineKey = (text: string): (LineKey & { readonly of: FilingPeriod }) | undefined => {
  const { period = '', code = '', place = '', record = '', tax, stated } = FORM.exec(text)?.groups ?? {};
  const of = parseVersion(period);
  const amount = tax === undefined ? undefined : parseMoney(tax);
  return (
    of && {
      of,
      period,
      code,
      place,
      record,
      ...(amount !== undefined && { tax: amount }),
      ...(stated !== undefined && { stated }),
    }
  );
};

/** Normalize a key for comparison: spreadsheets and people change spaces and capitals. */
export const sameKey = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();
