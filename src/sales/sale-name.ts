import type { Origin, Sale } from './sale.ts';

/** The name of a sale's record: its key and the parts of the key. */
type SaleName = Pick<Sale, 'key' | 'channel' | 'kind' | 'id'>;

/** Returns the key of a sale: files and decisions name it by it. */
export const saleKey = (channel: string, kind: Sale['kind'], id: string): string =>
  `${channel}/${kind}/${id}`;

/** Returns the name of a record in decisions where several channels have one of that name: `desk/1001`. */
export const nameInChannel = (channel: string, name: string): string => `${channel}/${name}`;

/** Splits the key of a sale into its parts. */
export const nameOfKey = (key: string): SaleName => {
  const [channel = '', kind, ...id] = key.split('/');
  return { key, channel, kind: kind as Sale['kind'], id: id.join('/') };
};

/** Ids and amounts damaged by a spreadsheet: an exponent, an error, or a column that was too narrow. */
const MANGLED = /^(?:-?\d+(?:[.,]\d+)?E[+-]\d+|#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|#+))$/i;

/** Whether a spreadsheet damaged the cell so that its value is lost. */
export const isMangled = (text: string): boolean => MANGLED.test(text);

/** A whole number with zeros behind its 15th digit, as one that a spreadsheet has rounded. */
const ROUNDED = /^\d{15}0+$/;

/** Returns an internal id of the channel; an empty text if a spreadsheet may have damaged it, so that it tells nothing. */
export const intactId = (text: string): string => (isMangled(text) || ROUNDED.test(text) ? '' : text);

/**
 * Convert a name to an id of the service: `#1001` becomes `1001`, and characters that ids cannot have are removed. If
 * two names give the same id, that is detected when they are stored, and both are refused.
 */
export const serviceId = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '');

/** Whether two names mean the same record: equal except for a leading `#` and surrounding spaces. */
export const isSameName = (left: string, right: string): boolean => bareName(left) === bareName(right);

/** The name of a record in messages, with its store where the export has several. */
export const nameInMessages = ({ record, store }: Origin): string =>
  store === undefined ? `"${record}"` : `"${record}" of ${store}`;

/** The name of a record in all sheets: without a leading `#` and surrounding spaces. */
export const bareName = (name: string): string => name.trim().replace(/^#/, '');

/** The code of refunds of one order that may be several, and that nothing in their rows tells apart. */
export const UNNUMBERED_REFUND = 'refund-without-number';

/** The code of a sale of which two files say different things, and nothing tells which of them is newer. */
export const NEWER_UNKNOWN = 'newer-unknown';

/** Which version of a sale an entry is: 0 as first filed; a correction is a reversal and a re-entry of one number. */
export type Version = {
  /** The key of the sale as first filed, which may be its own. */
  readonly of: string;
  readonly number: number;
  /** Whether it takes back the version before it. */
  readonly isReversal: boolean;
  /** Of a reversal: the digest of the statement that takes the place of what it reverses; absent if none does. */
  readonly gives?: string;
};

/** A version, with the kind of the record; a reversal is itself of the other kind. */
type Entry = Version & { readonly kind: Sale['kind'] };

/** The version of a sale that is late for a locked period. */
export type LateVersion = Version & {
  /** The locked period that it belongs to by its date. */
  readonly source: string;
  /** Set where it is filed with an amended version of that period; otherwise it is carried into a later one. */
  readonly amended?: true;
};

/** The ids of corrections: the id of the record, the number of the correction, and whether it is the reversal. */
const CORRECTION = /-late-([1-9]\d*)(-reversal)?$/;

/** Returns the id of the new version of a corrected record. */
export const correctionId = (original: string, number: number): string => `${original}-late-${number}`;

/** Returns the id of the record that reverses the filed version before a correction. */
export const reversalId = (original: string, number: number): string =>
  `${correctionId(original, number)}-reversal`;

/**
 * Returns which version of which record a sale is, by its id: an order that the shop itself calls `5-late-1` is a version
 * of 5.
 */
export const entryOf = ({ channel, kind, id }: Omit<SaleName, 'key'>): Entry => {
  const [suffix = '', number, reversal] = CORRECTION.exec(id) ?? [];
  if (suffix === '') return { of: saleKey(channel, kind, id), kind, number: 0, isReversal: false };
  const isReversal = reversal !== undefined;
  const other = kind === 'order' ? 'refund' : 'order';
  const ofKind = isReversal ? other : kind;
  const of = saleKey(channel, ofKind, id.slice(0, -suffix.length));
  return { of, kind: ofKind, number: Number(number), isReversal };
};

/** Collects the versions of records, and says which of them a later correction takes back. */
export const replacements = () => {
  const reversed = new Map<string, number>();
  return {
    see: ({ of, number, isReversal }: Entry): void => {
      if (isReversal) reversed.set(of, Math.max(reversed.get(of) ?? 0, number));
    },
    isReplaced: ({ of, number }: Entry): boolean => number < (reversed.get(of) ?? 0),
  };
};

export type Replacements = ReturnType<typeof replacements>;
