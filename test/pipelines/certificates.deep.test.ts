import { describe, expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { accepting } from '../support/accepting.ts';
import type { Figures } from '../support/figures.ts';
import { month, type Settings } from '../support/month.ts';
import { type CertificateRow, REGISTER, register } from '../support/register.ts';
import { LAS_VEGAS, type TemplateRow } from '../support/shop-exports.ts';

const found = ({ exceptions }: Figures, code: string) => exceptions.filter((one) => one.code === code);

/** A shop that names its customers and calls sales exempt, with a register of certificates. */
const exemptShop = async (
  template: readonly TemplateRow[],
  certificates: readonly CertificateRow[] = [],
  more: Settings = {},
) => {
  const settings = {
    certificates: [REGISTER],
    registrations: ['CA', 'NV'].map((state) => ({ state, since: '2019-01-01' })),
    ...more,
  };
  const shop = await month({ template, settings });
  const writeRegister = (rows: readonly CertificateRow[]) => shop.write(REGISTER, register(rows));
  await writeRegister(certificates);
  return {
    ...shop,
    settings,
    writeRegister,
    /** The row of Detail of each sale, by its name. */
    byId: async () => new Map((await shop.detail()).map((row) => [row['Transaction'], row])),
  };
};

const ACME: CertificateRow = {};
const ACCEPTED = { record: '1', code: 'R08', why: 'promised by the customer' };

describe('a sale that is called exempt', () => {
  test('relies on the certificate that holds, and shows the tax that it relieves', async () => {
    const shop = await exemptShop(
      [
        { name: '1', customer: ' acme ', exemption: 'wholesale' },
        { name: '2', customer: 'BETA' },
      ],
      [ACME],
    );
    const figures = await shop.close();
    expect(figures).toMatchObject({
      exit_code: 0,
      calculations: { asked: 3, calculated: 2 },
      totals: { gross: '200.00', collected: '10.75', expected: '10.75', variance: '0.00' },
      exceptions: [],
    });
    const detail = await shop.byId();
    expect(detail.get('1')).toMatchObject({
      Certificate: 'RC-1',
      'Tax relieved': 10.75,
    });
    expect(detail.get('2')).toMatchObject({ Certificate: null, 'Tax relieved': null });
    expect(await shop.rows('Certificates')).toMatchObject([
      {
        Certificate: 'RC-1',
        Customer: 'ACME',
        States: 'CA',
        Reason: 'resale',
        'Valid from': '2024-01-01',
        'Valid to': '2027-12-31',
        Status: 'valid',
        Sales: 1,
        'Amount exempted': 100,
        'Tax relieved': 10.75,
        'Tax not known': 0,
        Line: 2,
      },
    ]);
    expect(await shop.verify()).toEqual([]);
  });

  test('is not open any more when a person accepts it, or the certificate arrives', async () => {
    const shop = await exemptShop([{ name: '1', customer: 'ACME', exemption: 'wholesale' }], []);
    expect((await shop.close()).exit_code).toBe(1);
    await shop.write('decisions.csv', accepting('2026-10', ACCEPTED));
    expect((await shop.close()).exit_code).toBe(0);
    expect((await shop.byId()).get('1')).toMatchObject({
      Certificate: '(none: decided)',
      'Tax relieved': 10.75,
      Proof: 'Exempt by decision, without a certificate: promised by the customer',
    });
    expect((await shop.rows('Checks')).filter(({ Result }) => Result !== 'PASS')).toEqual([]);
    await shop.write('decisions.csv', accepting('2026-10'));
    await shop.writeRegister([ACME]);
    expect(await shop.close()).toMatchObject({ exit_code: 0, exceptions: [] });
  });

  test('needs a calculation without its exemption, and has an unknown tax at stake where the service refuses that', async () => {
    const shop = await exemptShop([{ name: '1', customer: 'ACME', exemption: 'wholesale' }], []);
    expect(await shop.run('close', '2026-10', '--max-calculations', '1')).toMatchObject({ code: 78 });
    const { written } = await shop.closeWith(({ service, ...ports }) => ({
      ...ports,
      service: {
        ...service,
        calculateTax: async (request) => {
          if (request.exemption_type === 'wholesale') return service.calculateTax(request);
          throw new ServiceRefusal(400, 'no answer without an exemption');
        },
      },
    }));
    const [open] = written.report.exceptions.filter(({ code }) => code === 'R08');
    expect(open).toMatchObject({ severity: 'error' });
    expect(open?.message).toContain('not known, because it was not calculated');
    expect((await shop.byId()).get('1')).toMatchObject({ 'Tax relieved': null });
    const known = await shop.close('2026-10', '--max-calculations', '2');
    expect(known.calculations).toMatchObject({ asked: 2 });
    expect(found(known, 'R08')).toMatchObject([{ effect: '-10.75' }]);
  });
});

test('a sale of a customer with a certificate is explained by it where no tax was charged, and a variance names it where some was', async () => {
  const shop = await exemptShop(
    [
      { name: '1', customer: 'ACME', tax: '0.00' },
      { name: '2', customer: 'ACME' },
      { name: '3', customer: 'ACME', to: LAS_VEGAS, tax: '8.38' },
    ],
    [ACME],
  );
  const figures = await shop.close();
  expect(figures).toMatchObject({
    exit_code: 0,
    totals: { taxable: '100.00', expected: '8.38', variance: '10.75', unexplained: '0.00' },
    reasons: [{ code: 'R07', sales: 1, over: '10.75' }],
  });
  expect(figures.exceptions.map(({ code, record }) => `${code} ${record}`)).toEqual(['R07 2']);
  expect(found(figures, 'R07')[0]?.message).toContain('certificate RC-1 (resale, CA) holds');
  const detail = await shop.byId();
  expect(detail.get('1')).toMatchObject({
    Certificate: 'RC-1',
    'Tax relieved': 10.75,
  });
  // In Nevada the certificate does not hold.
  expect(detail.get('3')).toMatchObject({ Certificate: null });
});

test('a refund is exempt as its order is, whatever its own row and the day of the refund say', async () => {
  const shop = await exemptShop(
    [
      { name: '1', customer: 'ACME', exemption: 'wholesale', at: '2026-09-30' },
      { name: 'R1', refundOf: '1', at: '2026-10-20', tax: '0.00' },
      { name: '2', customer: 'ACME', at: '2026-10-11', tax: '0.00' },
      { name: 'R2', refundOf: '2', at: '2026-10-21', tax: '0.00' },
    ],
    [{ to: '2026-10-15' }],
  );
  const figures = await shop.close();
  expect(figures).toMatchObject({ totals: { gross: '-100.00', expected: '0.00', variance: '0.00' } });
  expect(figures.exceptions.map(({ code }) => code)).toEqual([]);
  const detail = await shop.byId();
  expect(detail.get('R1')).toMatchObject({
    Certificate: 'RC-1',
    'Tax relieved': -10.75,
  });
  expect(detail.get('R2')).toMatchObject({
    Certificate: 'RC-1',
    'Tax relieved': -10.75,
  });
  expect(await shop.rows('Certificates')).toMatchObject([
    { Sales: 3, 'Amount exempted': -100, 'Tax relieved': -10.75, Status: 'expired' },
  ]);
});

test('what is locked relies on what it relied on, whatever the register says later', async () => {
  const shop = await exemptShop(
    [
      { name: '1', customer: 'ACME', exemption: 'wholesale' },
      { name: '2', customer: 'ACME', tax: '0.00' },
    ],
    [ACME],
  );
  await shop.close();
  await shop.told(0, 'lock', '2026-10');
  const before = await shop.files();
  await shop.writeRegister([]);
  expect(await shop.close()).toMatchObject({ exit_code: 0, exceptions: [] });
  expect(await shop.files()).toEqual(before);
  await shop.told(1, 'close', '2026-Q4');
  expect(await shop.rows('Certificates', '2026-Q4')).toMatchObject([
    { Certificate: 'RC-1', Status: 'not in the register', Sales: 2, 'Tax relieved': 21.5 },
  ]);
});
