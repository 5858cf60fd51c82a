import { serviceId } from '../sales/record-id.ts';
import type { Certificate } from './certificate.ts';
import type { RegisterFile } from './read-register.ts';

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
