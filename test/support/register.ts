import { stringify } from 'csv-stringify/sync';

/** A certificate of resale of ACME that holds in California, unless it says otherwise. */
export type CertificateRow = {
  readonly id?: string;
  readonly customer?: string;
  readonly states?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
  readonly document?: string;
  readonly hash?: string;
};

/** How the register of exemption certificates is called. */
export const REGISTER = 'register.csv';
export const REGISTER_HEADER = ['Certificate', 'Customer', 'States', 'Reason', 'Valid from', 'Valid to'];

export const register = (certificates: readonly CertificateRow[]): string =>
  stringify([
    [...REGISTER_HEADER, 'Document', 'Hash'],
    ...certificates.map((row) => [
      row.id ?? 'RC-1',
      row.customer ?? 'ACME',
      row.states ?? 'CA',
      row.reason ?? 'resale',
      row.from ?? '2024-01-01',
      row.to ?? '2027-12-31',
      row.document ?? '',
      row.hash ?? '',
    ]),
  ]);
