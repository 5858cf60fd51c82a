import { describe, expect, test } from 'vitest';
import type { Certificate, ExemptingType } from '../../src/certificates/certificate.ts';
import { exemptionOf, registerOf } from '../../src/certificates/certificate.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { saleOf } from '../sales/sale-of.ts';
import { certificateOf } from './certificate-of.ts';

const day = calendarDate;
const customer: Partial<Sale> = { customerId: 'ACME-1' };
const claimed: Partial<Sale> = { ...customer, exemptionType: 'wholesale' };

describe('an exempt sale', () => {
  test.for<readonly [why: string, certificate: Partial<Certificate>, sale: Partial<Sale>]>([
    ['a certificate of the customer holds in the state on the day', {}, {}],
    ['names are compared without case and blanks around and between them', { customer: ' acme-1 ' }, {}],
    ['the day of the sale is the first day of the certificate', { validFrom: day('2026-10-31') }, {}],
    ['the day of the sale is its last day', { validTo: day('2026-10-31') }, {}],
    ['it does not expire', { validTo: null }, {}],
    ['it covers every state', { states: 'all' }, {}],
    ['it covers the state among others', { states: ['AZ', 'CA', 'NV'] }, {}],
    ['it is for this channel', { channel: 'shopify' }, {}],
  ])('is certified: %s', ([, certificate, sale]) => {
    const found = exemptionOf(saleOf({ ...claimed, ...sale }), registerOf([certificateOf(certificate)]));
    expect(found).toMatchObject({ standing: 'certified', type: 'wholesale', lack: '' });
    expect(found.certificate?.name).toBe('RC-1');
  });

  test.for<readonly [lack: string, certificates: readonly Partial<Certificate>[], sale: Partial<Sale>]>([
    ['no certificate of the customer "ACME-1" is in the register', [{ customer: 'ACME-10' }], {}],
    ['no certificate of the customer "ACME-1" is in the register', [], {}],
    ['none of the certificates RC-1 holds for CA on 2026-10-31', [{ validTo: day('2026-10-30') }], {}],
    ['RC-1 holds for CA', [{ validFrom: day('2026-11-01') }], {}],
    ['RC-1 holds for CA', [{ states: ['AZ', 'NV'] }], {}],
    ['RC-1 holds for CA', [{ channel: 'amazon' }], {}],
    ['the export names no customer whose certificate could be looked up', [{}], { customerId: null }],
  ])('is not supported: %s', ([lack, certificates, sale]) => {
    const found = exemptionOf(saleOf({ ...claimed, ...sale }), registerOf(certificates.map(certificateOf)));
    expect(found).toEqual({
      standing: 'unsupported',
      type: 'wholesale',
      certificate: null,
      lack: expect.stringContaining(lack),
    });
  });

  test.for<readonly [claimed: ExemptingType, certificate: Partial<Certificate>, reservation: string]>([
    ['wholesale', { reason: 'government', type: 'government' }, 'certificate RC-1 is for government'],
    ['government', {}, 'certificate RC-1 is for resale'],
    ['other', {}, ''],
    ['wholesale', { reason: 'manufacturing', type: 'other' }, ''],
  ])('that claims %s keeps its type, and a certificate for something else is told', ([type, given, lack]) => {
    const found = exemptionOf(
      saleOf({ ...customer, exemptionType: type }),
      registerOf([certificateOf(given)]),
    );
    expect(found).toMatchObject({ standing: 'certified', type, lack });
  });

  test('relies on the certificate for the reason it claims, then on the one that holds longest', () => {
    const nameOf = (...certificates: readonly Partial<Certificate>[]) =>
      exemptionOf(saleOf(claimed), registerOf(certificates.map(certificateOf))).certificate?.name;
    expect(nameOf({ id: 'A', type: 'other', validTo: null }, { id: 'B' })).toBe('B');
    expect(nameOf({ id: 'A' }, { id: 'B', validTo: day('2028-01-01') })).toBe('B');
    expect(nameOf({ id: 'A' }, { id: 'B', validTo: null })).toBe('B');
    expect(nameOf({ id: 'A' }, { id: 'B' })).toBe('A');
  });

  test('of a marketplace is not a matter of certificates', () => {
    const sale = saleOf({ ...customer, exemptionType: 'marketplace' });
    expect(exemptionOf(sale, registerOf([certificateOf()]))).toMatchObject({
      standing: 'none',
      type: 'marketplace',
    });
  });
});

test('a sale that its export does not call exempt stays taxable where no certificate holds, and where its export says that it is taxable', () => {
  const none = { standing: 'none', certificate: null };
  const expired = registerOf([certificateOf({ validTo: day('2026-10-30') })]);
  expect(exemptionOf(saleOf(customer), expired)).toMatchObject({ ...none, type: null });
  const taxable = saleOf({ ...customer, exemptionType: 'non_exempt' });
  expect(exemptionOf(taxable, registerOf([certificateOf()]))).toMatchObject({
    ...none,
    type: 'non_exempt',
  });
});
