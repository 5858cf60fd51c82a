import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';

/** What a locked period holds of a record. */
export type FiledRecord = {
  readonly sale: Sale;
  /** Its reconciled figures as JSON; `null` when it was not posted. */
  readonly figures: string | null;
  /** The day with which it counts. */
  readonly filedOn: string;
};

/** `new`: not filed. `changed`: filed, and stated otherwise now. `withdrawn`: filed, and no sale any more. */
export type LateKind = 'new' | 'changed' | 'withdrawn';

/** A record of which the exports state another thing than was filed, in a period that is locked. */
export type LateItem = {
  /** The locked period. */
  readonly period: FilingPeriod;
  /** The record as the exports have it. */
  readonly key: string;
  readonly kind: LateKind;
  /** What the exports say now; `undefined` when it was withdrawn. */
  readonly sale: Sale | undefined;
  readonly digest: string;
  /** What stands filed; `undefined` when nothing does. */
  readonly filed: FiledRecord | undefined;
  /** What was carried of a record that no lock holds, and is not a sale in the exports any more; `undefined` of all others. */
  readonly carried?: Sale | undefined;
  /** Digest of what the exports state: a decision holds until it changes again. */
  readonly stated: string;
};

/** What the source calls the record. */
export const recordOf = ({ sale, filed, carried, key }: LateItem): string =>
  (sale ?? filed?.sale ?? carried)?.origin.record ?? key;
