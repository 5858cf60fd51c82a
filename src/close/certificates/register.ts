import { serviceId } from '../sales/record-id.ts';
import type { Certificate } from './certificate.ts';

/** All usable certificates, found by the customer or the order they are for. */
export type Register = {
  readonly certificates: readonly Certificate[];
  readonly ofCustomer: (customer: string) => readonly Certificate[];
  /** @param order by the id that the tax service knows it by */
  readonly ofOrder: (order: string) => readonly Certificate[];
};

/** How customers are compared: composed, trimmed, blanks folded, in any case. Nothing nearer than equal is a match. */
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
