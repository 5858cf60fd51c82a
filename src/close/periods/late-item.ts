import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';

/** A record as a locked period holds it. */
export type FiledRecord = {
  readonly sale: Sale;
  /** Its reconciled figures as JSON; `null` when it was not posted. */
  readonly figures: string | null;
  /** The day on which it counts. */
  readonly filedOn: string;
};

/** `new`: not filed. `changed`: filed, but the exports now differ. `withdrawn`: filed, but not a sale any more. */
export type LateKind = 'new' | 'changed' | 'withdrawn';

/** A record of a locked period whose exports differ from what was filed. */
export type LateItem = {
  /** The locked period. */
  readonly period: FilingPeriod;
  /** The key of the record in the exports. */
  readonly key: string;
  readonly kind: LateKind;
  /** The sale as the exports state it now; `undefined` when it was withdrawn. */
  readonly sale: Sale | undefined;
  readonly digest: string;
  /** The filed version in effect; `undefined` when there is none. */
  readonly filed: FiledRecord | undefined;
  /**
   * The carried version, when no lock holds the record posted and the exports do not contain it as a posted sale any more;
   * otherwise `undefined`.
   */
  readonly carried?: Sale | undefined;
  /** Whether it is not posted any more, as the locked period has it: its carried version is taken back. */
  readonly isHeld: boolean;
  /** Digest of what the exports state: a decision stays valid until this changes again. */
  readonly stated: string;
};

/** Returns the name of the record in its source. */
export const recordOf = ({ sale, filed, carried, key }: LateItem): string =>
  (sale ?? filed?.sale ?? carried)?.origin.record ?? key;
