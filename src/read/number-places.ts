import type { Aged } from '../close/sales/newer-statement.ts';
import type { SalesProfile } from '../close/sales/profile.ts';
import type { Sale, SetAside } from '../close/sales/sale.ts';
import type { Instant } from '../kernel/calendar.ts';
import type { CountedRepayment } from './repayment-rows.ts';

/** One place in the files of a load that has a number, as a sale or set aside. */
export type Place = Aged & {
  readonly key: string;
  /** When the record was created; `undefined` where its row does not say it. */
  readonly at: Instant | undefined;
  readonly uniqueId: string;
  readonly origin: Sale['origin'];
  readonly sale: Sale | undefined;
  readonly aside: SetAside | undefined;
  /** Whether its rows make up a record; other rows are set aside without saying anything of the record. */
  readonly isRecord: boolean;
  readonly digest: string;
  readonly controls: string;
  readonly rows: SetAside['rows'];
  readonly repayments: readonly CountedRepayment[];
  /** The position of its file in reading order, and the load that read it. */
  readonly file: number | null;
  /** For a record of a locked period: the key that it is filed under. It is not a statement of today. */
  readonly lockedAs?: string;
  /** `undefined` for what only an earlier load has read. */
  readonly profile: SalesProfile | undefined;
};
