import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Origin } from '../../kernel/finding.ts';
import type { ExemptingType, ExemptionReason } from './exemption-reason.ts';

/** The file that a certificate is kept in. */
export type CertificateDocument = {
  /** As the register writes it: a path below the folder of the register. */
  readonly name: string;
  /** SHA-256 that the register states. */
  readonly stated: string | null;
  /** SHA-256 of the file that lies there; `null` when none does. */
  readonly found: string | null;
};

/** One row of a register: who is exempt, where, why, from when to when, and the paper that proves it. */
export type Certificate = {
  /** Its id, with a number behind it where an earlier row has the same id: unique in the register. */
  readonly name: string;
  readonly id: string;
  /** As the exports write the customer; empty only for a certificate of one order. */
  readonly customer: string;
  /** Postal codes in alphabetical order, or every state. */
  readonly states: readonly string[] | 'all';
  readonly reason: ExemptionReason;
  /** What the tax service calls an exemption for this reason. */
  readonly type: ExemptingType;
  /** First and last day on which a sale may rely on it; without a last day it does not expire. */
  readonly validFrom: CalendarDate;
  readonly validTo: CalendarDate | null;
  /** The one order that a single-purchase certificate is for. */
  readonly order: string | null;
  /** The one channel whose customers it is about. */
  readonly channel: string | null;
  readonly document: CertificateDocument | null;
  readonly origin: Origin;
};

/** The states of a certificate as a person reads them. */
export const statesText = ({ states }: Certificate): string => (states === 'all' ? 'all' : states.join(', '));
