import type { ExemptionType } from '../contract/scalars.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { compareText } from '../kernel/text.ts';
import type { Sale } from '../sales/sale.ts';
import { serviceId } from '../sales/sale-name.ts';
import { type Certificate, type ExemptionStanding, isExempting, statesText } from './certificate.ts';
import type { RegisterFile } from './read-register.ts';

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
export type Claim = Pick<
  Sale,
  'kind' | 'id' | 'reference' | 'channel' | 'customerId' | 'exemptionType' | 'taxDate' | 'shipTo'
>;

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
  const known = certificatesFor(sale, register);
  const holding = known.filter((certificate) => holdsFor(certificate, sale));
  const [best] = [...holding].sort(preference(claimed));
  if (best) {
    const isOther = isClaimed && claimed !== best.type && claimed !== 'other' && best.type !== 'other';
    const lack = isOther ? `certificate ${best.name} is for ${best.reason}` : '';
    return as('certified', { type: claimed ?? best.type, certificate: best, lack });
  }
  return isClaimed ? as('unsupported', { lack: lackOf(sale, known) }) : as('none');
};

const NO_REGISTER = '`certificates` of the configuration names no register';

/** The customer's certificates, and those issued for this order, in register order. */
export const certificatesFor = (sale: Claim, register: Register): readonly Certificate[] => {
  const own = sale.customerId === null ? [] : register.ofCustomer(sale.customerId);
  const ofOrder = register.ofOrder(orderOf(sale)).filter(({ customer }) => isFor(customer, sale.customerId));
  return [...new Set([...own, ...ofOrder])];
};

const isFor = (customer: string, customerId: string | null): boolean =>
  customer === '' || customerId === null || normalCustomer(customer) === normalCustomer(customerId);

const orderOf = ({ kind, id, reference }: Claim): string => (kind === 'refund' ? (reference ?? '') : id);

const isAbout = ({ order, channel }: Certificate, sale: Claim): boolean =>
  (order === null || serviceId(order) === orderOf(sale)) && (channel === null || channel === sale.channel);

const covers = ({ states }: Certificate, state: string): boolean =>
  states === 'all' || states.includes(state);

const isInForce = ({ validFrom, validTo }: Certificate, day: CalendarDate): boolean =>
  validFrom <= day && (validTo === null || day <= validTo);

const holdsFor = (certificate: Certificate, sale: Claim): boolean =>
  isAbout(certificate, sale) &&
  covers(certificate, sale.shipTo.state) &&
  isInForce(certificate, sale.taxDate);

/**
 * Sort order of valid certificates: the claimed reason first, then those with a document on file, then the latest
 * expiry, then the earliest row.
 */
const preference =
  (claimed: ExemptionType | null) =>
  (left: Certificate, right: Certificate): number =>
    Number(right.type === claimed) - Number(left.type === claimed) ||
    Number(isProved(right)) - Number(isProved(left)) ||
    compareText(right.validTo ?? '9999-12-31', left.validTo ?? '9999-12-31');

const isProved = ({ document }: Certificate): boolean => (document?.found ?? null) !== null;

/** Say why none of these certificates is valid for the sale, naming the closest match. */
const lackOf = (sale: Claim, known: readonly Certificate[]): string => {
  const { state } = sale.shipTo;
  const about = known.filter((certificate) => isAbout(certificate, sale));
  const inState = about.filter((certificate) => covers(certificate, state));
  const expired = inState.filter(({ validTo }) => validTo !== null && validTo < sale.taxDate);
  const [last] = [...expired].sort((left, right) => compareText(right.validTo ?? '', left.validTo ?? ''));
  if (last) return `certificate ${last.name} expired on ${last.validTo}`;
  const [next] = [...inState].sort((left, right) => compareText(left.validFrom, right.validFrom));
  if (next) return `certificate ${next.name} is valid from ${next.validFrom} on, not yet on ${sale.taxDate}`;
  const [elsewhere] = about;
  if (elsewhere) return `certificate ${elsewhere.name} is for ${statesText(elsewhere)}, not for ${state}`;
  const [other] = known;
  if (other)
    return `certificate ${other.name} is for the ${other.order === null ? `channel ${other.channel}` : `order ${other.order}`} only`;
  if (sale.customerId === null) return 'the export names no customer whose certificate could be looked up';
  return `no certificate of the customer "${sale.customerId}" is in the register`;
};

/** All usable certificates, indexed by customer and by order. */
export type Register = {
  readonly certificates: readonly Certificate[];
  readonly ofCustomer: (customer: string) => readonly Certificate[];
  /** @param order the order's id at the tax service */
  readonly ofOrder: (order: string) => readonly Certificate[];
};

/** Normalize a customer: NFC, trimmed, whitespace collapsed, lower case. Only exact matches count after that. */
export const normalCustomer = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

export const registerOf = (certificates: readonly Certificate[]): Register => {
  const byCustomer = groupedBy(certificates, ({ customer }) => normalCustomer(customer));
  const byOrder = groupedBy(certificates, ({ order }) => serviceId(order ?? ''));
  return {
    certificates,
    ofCustomer: (customer) => byCustomer.get(normalCustomer(customer)) ?? [],
    ofOrder: (order) => byOrder.get(order) ?? [],
  };
};

const groupedBy = (
  certificates: readonly Certificate[],
  keyOf: (certificate: Certificate) => string,
): ReadonlyMap<string, readonly Certificate[]> => {
  const groups = new Map<string, Certificate[]>();
  for (const certificate of certificates) {
    const key = keyOf(certificate);
    if (key === '') continue;
    const group = groups.get(key);
    if (group) group.push(certificate);
    else groups.set(key, [certificate]);
  }
  return groups;
};

/** Returns the register that these files make up; `undefined` when none is configured. */
export const registerOfFiles = (files: readonly RegisterFile[]): Register | undefined =>
  files.length === 0 ? undefined : registerOf(files.flatMap(({ certificates }) => certificates));
