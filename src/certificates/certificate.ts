import type { ExemptionType } from '../contract/scalars.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Origin, Severity } from '../kernel/finding.ts';
import type { Money } from '../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';

/** The document file of a certificate. */
export type CertificateDocument = {
  /** Path relative to the folder of the register, as the register gives it. */
  readonly name: string;
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

/** The exemption types that a certificate can support. */
export type ExemptingType = Extract<ExemptionType, 'wholesale' | 'government' | 'other'>;

/** Exemption reasons of registers, each with the tax service's type for it: the service knows only three. */
const REASONS = {
  resale: 'wholesale',
  government: 'government',
  nonprofit: 'other',
  agriculture: 'other',
  manufacturing: 'other',
  'direct pay': 'other',
  other: 'other',
} as const satisfies Readonly<Record<string, ExemptingType>>;

export type ExemptionReason = keyof typeof REASONS;

/** Other words for them, as the uniform state forms have them. */
const WORDS: Readonly<Record<ExemptionReason, readonly string[]>> = {
  resale: ['wholesale', 'reseller', 'for resale'],
  government: ['federal government', 'state government', 'local government', 'state or local government'],
  nonprofit: ['non profit', 'charitable organization', 'religious organization', 'educational organization'],
  agriculture: ['agricultural production'],
  manufacturing: ['industrial production/manufacturing'],
  'direct pay': ['direct pay permit'],
  other: ['tribal government', 'foreign diplomat'],
};

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

const byWord = new Map<string, ExemptionReason>(
  (Object.keys(REASONS) as ExemptionReason[]).flatMap((reason) =>
    [reason, ...WORDS[reason]].map((word) => [word, reason] as const),
  ),
);

/** Parse the reason in a register cell; `undefined` if it is unknown. */
export const exemptionReason = (text: string): ExemptionReason | undefined => byWord.get(normal(text));

export const exemptingTypeOf = (reason: ExemptionReason): ExemptingType => REASONS[reason];

/** An exemption type in everyday words, where the tax service has its own name for it. */
export const exemptionWord = (type: string): string => TYPE_WORDS.get(type) ?? type;

const TYPE_WORDS: ReadonlyMap<string, string> = new Map<ExemptionType, string>([
  ['wholesale', 'resale'],
  ['non_exempt', 'taxable'],
]);

/** The reasons that a register may use, listed when a cell has an unknown one. */
export const EXEMPTION_REASONS: readonly string[] = Object.keys(REASONS);

/** Whether an exemption type exempts a sale on the strength of a certificate. `marketplace` does not. */
export const isExempting = (type: ExemptionType | null | undefined): type is ExemptingType =>
  type === 'wholesale' || type === 'government' || type === 'other';

/**
 * `certified`: a certificate in the register is valid for the destination on that day. `unsupported`: the export
 * marks the sale exempt, and no certificate is valid, or there is no register. `none`: the sale is not exempt, or certificates do not apply to it.
 */
export type ExemptionStanding = 'certified' | 'unsupported' | 'none';

/** The exemption of one reconciled sale, stored with its figures. */
export type SaleExemption = {
  readonly type: ExemptingType;
  readonly standing: Exclude<ExemptionStanding, 'none'>;
  /** Name of the supporting certificate. */
  readonly certificate: string | null;
  /** Why no certificate supports it, or how the reason of the certificate differs; usually empty. */
  readonly lack: string;
  /** Tax relieved, negative for a refund; `null` when unknown. */
  readonly relieved: Money | null;
};

/** Shown instead of a certificate when the exempt sale has none. */
export const NO_CERTIFICATE = '(none)';
export const NONE_BY_DECISION = '(none: decided)';

/** All of these marks. */
export const WITHOUT_CERTIFICATE = [NO_CERTIFICATE, NONE_BY_DECISION] as const;

/** The certificate of an exempt sale as Detail shows it. */
export const certificateMark = ({ certificate }: SaleExemption): string => certificate ?? NO_CERTIFICATE;

/** The sale as fully taxable. It is recalculated this way to find the tax that its exemption relieves. */
export const withoutExemption = (sale: Sale): Sale => ({ ...sale, exemptionType: 'non_exempt' });

/** A register row that is not used, or a cell that cannot be read. */
export type RegisterProblem = {
  readonly code: 'bad-certificate' | 'duplicate-certificate';
  readonly severity: Severity;
  readonly origin: Origin;
  /** Header of the column, and the value of the cell. */
  readonly column?: string;
  readonly value?: string;
  /** The broken rule, as a sentence that names the column and the value. */
  readonly message: string;
};
