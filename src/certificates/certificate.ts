import type { ExemptionType } from '../contract/scalars.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import type { Origin, Sale } from '../sales/sale.ts';

/** One row of a register: who is exempt, where, why, for which days, and the document that proves it. */
export type Certificate = {
  /** The id, followed by a number if an earlier row has the same id; unique in the register. */
  readonly name: string;
  readonly id: string;
  /** The customer as the exports write it. */
  readonly customer: string;
  /** Postal codes in alphabetical order, or every state. */
  readonly states: readonly string[] | 'all';
  readonly reason: ExemptionReason;
  /** The tax service's exemption type for this reason. */
  readonly type: ExemptingType;
  /** First and last day on which a sale may rely on it; `null` as the last day means that it does not expire. */
  readonly validFrom: CalendarDate;
  readonly validTo: CalendarDate | null;
  /** The channel that the certificate is limited to; `null` for all channels. */
  readonly channel: string | null;
  /** The file of the certificate, as the register names it. */
  readonly document: string | null;
  readonly origin: Origin;
};

/** The states of a certificate as text for people. */
export const statesText = ({ states }: Pick<Certificate, 'states'>): string =>
  states === 'all' ? 'all' : states.join(', ');

/** The exemption types that a certificate can support. */
export type ExemptingType = Extract<ExemptionType, 'wholesale' | 'government' | 'other'>;

/** Exemption reasons of registers, each with the tax service's type for it: the service knows only three. */
export const EXEMPTION_REASONS = {
  resale: 'wholesale',
  government: 'government',
  nonprofit: 'other',
  agriculture: 'other',
  manufacturing: 'other',
  'direct pay': 'other',
  other: 'other',
} as const satisfies Readonly<Record<string, ExemptingType>>;

export type ExemptionReason = keyof typeof EXEMPTION_REASONS;

const REASON_NAMES = Object.keys(EXEMPTION_REASONS) as readonly ExemptionReason[];

/** Parse the reason in a register cell; `undefined` if it is unknown. */
export const exemptionReason = (text: string): ExemptionReason | undefined => {
  const word = text.toLowerCase().replace(/[\s_-]+/g, ' ');
  return REASON_NAMES.find((reason) => reason === word);
};

/** An exemption type in everyday words, where the tax service has its own name for it. */
export const exemptionWord = (type: string): string => TYPE_WORDS.get(type) ?? type;

const TYPE_WORDS: ReadonlyMap<string, string> = new Map<ExemptionType, string>([
  ['wholesale', 'resale'],
  ['non_exempt', 'taxable'],
]);

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

/** The certificate of an exempt sale as Detail shows it. */
export const certificateMark = ({ certificate }: SaleExemption): string => certificate ?? NO_CERTIFICATE;

/** The sale as fully taxable. It is recalculated this way to find the tax that its exemption relieves. */
export const withoutExemption = (sale: Sale): Sale => ({ ...sale, exemptionType: 'non_exempt' });

/** A register row that is not used, or a cell that cannot be read. */
export type RegisterProblem = {
  readonly code: 'bad-certificate';
  readonly origin: Origin;
  /** The broken rules, each with the column and the value. */
  readonly message: string;
};

/** Whether a sale is exempt, on what basis, and which certificate proves it. */
export type Exemption = {
  /** The type used in the calculation and in the record. */
  readonly type: ExemptionType | null;
  readonly standing: ExemptionStanding;
  readonly certificate: Certificate | null;
  /** Why no certificate supports the claim, or how the reason of the certificate differs from it; usually empty. */
  readonly lack: string;
};

/** The fields of a sale that decide its exemption. */
export type Claim = Pick<Sale, 'channel' | 'customerId' | 'exemptionType' | 'taxDate' | 'shipTo'>;

/**
 * Decide the exemption of a sale as of the day whose law applies to it (for a refund, the day of its order). A
 * certificate exempts a sale that its export does not mark exempt, unless the export marks it taxable or a marketplace
 * sale. An exemption that the export claims is kept with or without a certificate; `standing` says whether one supports
 * it.
 */
export const exemptionOf = (sale: Claim, register: Register | undefined): Exemption => {
  const { exemptionType: claimed } = sale;
  const as = (standing: ExemptionStanding, rest: Partial<Exemption> = {}): Exemption => ({
    type: claimed,
    standing,
    certificate: null,
    lack: '',
    ...rest,
  });
  const isClaimed = isExempting(claimed);
  if (!isClaimed && claimed !== null) return as('none');
  if (!register) return isClaimed ? as('unsupported', { lack: NO_REGISTER }) : as('none');
  const known = sale.customerId === null ? [] : register(sale.customerId);
  const [best] = known.filter((certificate) => holdsFor(certificate, sale)).sort(preference(claimed));
  if (best) {
    const isOther = isClaimed && claimed !== best.type && claimed !== 'other' && best.type !== 'other';
    const lack = isOther ? `certificate ${best.name} is for ${best.reason}` : '';
    return as('certified', { type: claimed ?? best.type, certificate: best, lack });
  }
  return isClaimed ? as('unsupported', { lack: lackOf(sale, known) }) : as('none');
};

const NO_REGISTER = '`certificates` of the configuration names no register';

const covers = ({ states }: Certificate, state: string): boolean =>
  states === 'all' || states.includes(state);

const isInForce = ({ validFrom, validTo }: Certificate, day: CalendarDate): boolean =>
  validFrom <= day && (validTo === null || day <= validTo);

const holdsFor = (certificate: Certificate, sale: Claim): boolean =>
  (certificate.channel === null || certificate.channel === sale.channel) &&
  covers(certificate, sale.shipTo.state) &&
  isInForce(certificate, sale.taxDate);

/**
 * Sort order of valid certificates: the claimed reason first, then the latest
 * expiry, then the earliest row.
 */
const preference =
  (claimed: ExemptionType | null) =>
  (left: Certificate, right: Certificate): number =>
    Number(right.type === claimed) - Number(left.type === claimed) ||
    compareText(right.validTo ?? '9999-12-31', left.validTo ?? '9999-12-31');

/** Say why no certificate is valid for the sale. */
const lackOf = ({ customerId, shipTo, taxDate }: Claim, known: readonly Certificate[]): string => {
  if (customerId === null) return 'the export names no customer whose certificate could be looked up';
  return known.length === 0
    ? `no certificate of the customer "${customerId}" is in the register`
    : `none of the certificates ${known.map(({ name }) => name).join(', ')} holds for ${shipTo.state} on ${taxDate}`;
};

/** All usable certificates, by customer. */
export type Register = (customer: string) => readonly Certificate[];

/** Normalize a customer: NFC, trimmed, whitespace collapsed, lower case. Only exact matches count after that. */
export const normalCustomer = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

export const registerOf = (certificates: readonly Certificate[]): Register => {
  const byCustomer = Map.groupBy(certificates, ({ customer }) => normalCustomer(customer));
  return (customer) => byCustomer.get(normalCustomer(customer)) ?? [];
};
