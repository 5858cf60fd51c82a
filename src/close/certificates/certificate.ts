import type { CalendarDate } from '../../kernel/calendar.ts';
import type { Origin } from '../../kernel/finding.ts';
import type { ExemptingType, ExemptionReason } from './exemption-reason.ts';

/** The document file of a certificate. */
export type CertificateDocument = {
  /** Path relative to the folder of the register, as the register gives it. */
  readonly name: string;
  /** SHA-256 that the register states. */
  readonly stated: string | null;
  /** SHA-256 of the file found there; `null` if there is none. */
  readonly found: string | null;
};

/** One row of a register: who is exempt, where, why, for which days, and the document that proves it. */
export type Certificate = {
  /** The id, followed by a number if an earlier row has the same id; unique in the register. */
  readonly name: string;
  readonly id: string;
  /** The customer as the exports write it; empty only for a certificate for a single order. */
  readonly customer: string;
  /** Postal codes in alphabetical order, or every state. */
  readonly states: readonly string[] | 'all';
  readonly reason: ExemptionReason;
  /** The tax service's exemption type for this reason. */
  readonly type: ExemptingType;
  /** First and last day on which a sale may rely on it; `null` as the last day means that it does not expire. */
  readonly validFrom: CalendarDate;
  readonly validTo: CalendarDate | null;
  /** The order that a single-purchase certificate is limited to. */
  readonly order: string | null;
  /** The channel that the certificate is limited to; `null` for all channels. */
  readonly channel: string | null;
  readonly document: CertificateDocument | null;
  readonly origin: Origin;
};

/** The states of a certificate as text for people. */
export const statesText = ({ states }: Certificate): string => (states === 'all' ? 'all' : states.join(', '));
