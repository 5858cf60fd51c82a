import { beforeAll, describe, expect, it } from 'vitest';
import type { CalendarDate } from '../../src/kernel/calendar.ts';
import { formatMoney } from '../../src/kernel/money.ts';
import { casesOf } from '../support/rows.ts';
import { refusalOf, SANTA_MONICA } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

const SALE = { to_country: 'US', to_zip: '90404', to_state: 'CA', shipping: 0, amount: 100 } as const;
const NO_NEXUS = {
  amount_to_collect: 0,
  freight_taxable: false,
  has_nexus: false,
  rate: 0,
  tax_source: null,
  taxable_amount: 0,
};
const NEW_YORK = { to_zip: '12207', to_state: 'NY' };

export const calculationCases = (newService: ServiceProvider): void => {
  let service: SuiteService;
  beforeAll(async () => {
    service = await newService({
      ...SANTA_MONICA,
      customers: [
        { customer_id: 'city-hall', exemption_type: 'government', exempt_regions: [] },
        {
          customer_id: 'reseller',
          exemption_type: 'wholesale',
          exempt_regions: [{ country: 'US', state: 'NY' }],
        },
        { customer_id: 'no one-special', exemption_type: 'non_exempt', exempt_regions: [] },
      ],
    });
  });

  it('find tax where there is nexus, and say how it came about', async () => {
    const result = await service.calculateTax({ ...SALE, line_items: [{ quantity: 1, unit_price: 100 }] });
    expect(result).toMatchObject({
      order_total_amount: 10_000,
      shipping: 0,
      taxable_amount: 10_000,
      has_nexus: true,
      jurisdictions: { country: 'US', state: 'CA' },
    });
    expect(result.amount_to_collect).toBeGreaterThan(725);
    expect(result.breakdown).toMatchObject({ tax_collectable: result.amount_to_collect });
  });

  it('name the day they are of where one was asked for, and no day otherwise', async () => {
    const asked = await service.calculateTax({ ...SALE, calculation_date: '2026-10-15' });
    expect(asked.calculation_date).toBe('2026-10-15');
    expect(await service.calculateTax(SALE)).not.toHaveProperty('calculation_date');
  });

  it('have no breakdown when no line items were sent', async () => {
    expect(await service.calculateTax(SALE)).not.toHaveProperty('breakdown');
    expect(await service.calculateTax({ ...SALE, line_items: [] })).not.toHaveProperty('breakdown');
  });

  describe('without nexus answer the six figures of no nexus and nothing else', () => {
    it.each([
      ['the destination is outside the nexus on file', NEW_YORK],
      [
        'nexus addresses of the request stand in for those on file',
        { nexus_addresses: [{ country: 'US', state: 'TX' }] },
      ],
    ])('%s', async (_, changes) => {
      expect(await service.calculateTax({ ...SALE, ...changes })).toEqual(NO_NEXUS);
    });

    it('an account with nothing on file asks without saying where it sells from', async () => {
      const empty = await newService();
      expect(await empty.calculateTax(SALE)).toEqual(NO_NEXUS);
    });
  });

  describe('find nexus', () => {
    it.each([
      ['in the nexus addresses of the request', { nexus_addresses: [{ country: 'US', state: 'CA' }] }],
      ['where the order ships from', { from_country: 'US', from_state: 'CA', from_zip: '90404' }],
    ])('%s when nothing is on file', async (_, changes) => {
      const empty = await newService();
      expect(await empty.calculateTax({ ...SALE, ...changes })).toMatchObject({ has_nexus: true });
    });

    it('where the order ships from beside the nexus on file', async () => {
      const from = { from_country: 'US', from_state: 'NY', from_zip: '12207' };
      expect(await service.calculateTax({ ...SALE, ...NEW_YORK, ...from })).toMatchObject({
        has_nexus: true,
      });
      expect(await service.calculateTax({ ...SALE, ...from })).toMatchObject({ has_nexus: true });
    });

    it.each([
      [{}, ['nexus_addresses[0].country is missing']],
      [{ state: 'CA' }, ['nexus_addresses[0].country is missing']],
      [{ country: 'US' }, ['nexus_addresses[0].state is missing']],
      [{ country: 'CA' }, ['nexus_addresses[0].state is missing']],
    ])('not in an entry %j, which is refused', async (entry, [detail]) => {
      const request = { ...SALE, nexus_addresses: [entry] } as typeof SALE;
      expect(await refusalOf(service.calculateTax(request))).toEqual({ status: 406, detail });
    });

    it('only while a registration holds', async () => {
      const registered = {
        country: 'US',
        state: 'CA',
        from: '2026-04-01' as CalendarDate,
        to: '2026-06-30' as CalendarDate,
      };
      const seller = await newService({ nexus: [registered] });
      const hasNexus = async (day: string) =>
        (await seller.calculateTax({ ...SALE, calculation_date: day })).has_nexus;
      expect(await hasNexus('2026-03-31')).toBe(false);
      expect(await hasNexus('2026-04-01')).toBe(true);
      expect(await hasNexus('2026-06-30')).toBe(true);
      expect(await hasNexus('2026-07-01')).toBe(false);
    });
  });

  it('count the lines where lines and amount disagree', async () => {
    const result = await service.calculateTax({
      ...SALE,
      line_items: [{ quantity: 3, unit_price: '10.00', discount: 5 }],
    });
    expect(result.order_total_amount && formatMoney(result.order_total_amount)).toBe('25.00');
  });

  it('count the first of several lines with one id', async () => {
    const line_items = [
      { id: 'a', quantity: 1, unit_price: 10 },
      { id: 'a', quantity: 1, unit_price: 500 },
      { quantity: 1, unit_price: 1 },
    ];
    const result = await service.calculateTax({ ...SALE, line_items });
    expect(result.taxable_amount).toBe(1_100);
    expect(result.breakdown?.line_items?.map(({ id }) => id)).toEqual(['a', '3']);
  });

  describe('leave exempt sales untaxed', () => {
    it.each(
      casesOf(`
      {"exemption_type":"wholesale"} | true | wholesale is exempt
      {"exemption_type":"government"} | true | so is government
      {"exemption_type":"other"} | true | and any other exemption
      {"exemption_type":"marketplace"} | false | a marketplace collects the tax, so it is calculated
      {"exemption_type":"non_exempt"} | false | non_exempt says that it is not
      {"customer_id":"city-hall"} | true | the customer is exempt everywhere
      {"customer_id":"reseller"} | false | the customer is exempt elsewhere only
      {"customer_id":"no one-special"} | false | the customer is known and not exempt
      {"customer_id":"stranger"} | false | the customer is not on file
      {"customer_id":"city-hall","exemption_type":"non_exempt"} | false | the sale beats the customer here
      {"line_items":[{"unit_price":100,"product_tax_code":"99999"}]} | true | category 99999 is exempt
      {"line_items":[{"unit_price":100,"product_tax_code":"TaxCode - 34067"}]} | false | an unknown category is taxed
    `),
    )('%j: %s, %s', async (changes, isExempt) => {
      const result = await service.calculateTax({ ...SALE, ...changes } as typeof SALE);
      expect(result.has_nexus).toBe(true);
      expect(result.amount_to_collect === 0).toBe(isExempt === 'true');
    });
  });

  describe('read what callers send', () => {
    it.each<[object, string]>([
      [{ amount: '100.00', shipping: '0' }, 'amounts as text'],
      [
        { amount: null, line_items: [{ unit_price: '100.0000', quantity: '1', discount: '-0.0' }] },
        'null for absent',
      ],
      [{ to_country: 'us', to_state: 'ca', to_zip: '90404-1234' }, 'codes in small letters, ZIP+4'],
      [{ customer_id: '', exemption_type: '', from_state: null, line_items: null }, 'blanks for absent'],
      [{ plugin: 'woo', nexus_adresses: [{ country: 'US', state: 'TX' }] }, 'keys it does not know'],
    ])('%j: %s', async (changes) => {
      const expected = await service.calculateTax(SALE);
      const result = await service.calculateTax({ ...SALE, ...changes } as typeof SALE);
      expect(result.amount_to_collect).toBe(expected.amount_to_collect);
    });
  });

  describe('are refused', () => {
    it.each(
      casesOf(`
      {"to_country":null} | 406 | to_country is missing | a destination is needed
      {"to_country":"USA"} | 406 | to_country must be a two-letter ISO code. | ISO codes have two letters
      {"to_zip":null} | 406 | to_zip is missing | tax in the US needs the ZIP
      {"to_state":""} | 406 | to_state is missing | and the state
      {"to_country":"CA","to_state":null} | 406 | to_state is missing | Canada needs the province
      {"shipping":null} | 406 | shipping is missing | shipping is required, be it zero
      {"shipping":"free"} | 406 | shipping must be a decimal number | free is not an amount
      {"amount":null,"line_items":[]} | 406 | amount is missing | either amount or line items
      {"exemption_type":"charity"} | 406 | exemption_type is invalid | not one of the types
      {"line_items":[{"quantity":1.5}]} | 406 | line_items[0].quantity must be a whole number | no halves
      {"to_zip":"9O404"} | 406 | to_zip 9O404 isn't a valid postal code for US | a letter in the ZIP
      {"to_zip":"10001"} | 400 | to_zip 10001 is not used within to_state CA | a ZIP of New York
      {"from_zip":"99999","from_state":"NY","from_country":"US"} | 400 | from_zip 99999 is not used within from_state NY | of no state
    `),
    )('%j: %s %s, because %s', async (changes, status, detail) => {
      const call = service.calculateTax({ ...SALE, ...changes } as typeof SALE);
      expect(await refusalOf(call)).toEqual({ status: Number(status), detail });
    });

    it('with all problems named when there are several', async () => {
      const { status, detail } = await refusalOf(service.calculateTax({} as typeof SALE));
      expect(status).toBe(406);
      expect(detail).toEqual(expect.arrayContaining(['to_country is missing', 'shipping is missing']));
    });
  });

  it('offer every category of the interface', async () => {
    const categories = await service.categories();
    const codes = categories.map((category) => category.product_tax_code);
    expect(codes).toEqual(
      expect.arrayContaining(['20010', '30070', '31000', '40030', '51010', '81100', '99999']),
    );
    expect(categories.length).toBeGreaterThanOrEqual(29);
    expect(categories.find((category) => category.product_tax_code === '20010')).toMatchObject({
      name: 'Clothing',
    });
  });

  it('list the regions of nexus by name, each once, those in force today', async () => {
    const seller = await newService({
      nexus: [
        { country: 'US', state: 'NY' },
        { country: 'US', state: 'CA', zip: '90404' },
        { country: 'US', state: 'CA', zip: '94105' },
        { country: 'CA', state: 'BC' },
        { country: 'US', state: 'TX', to: '2026-10-31' as CalendarDate },
        { country: 'US', state: 'WA', from: '2027-01-01' as CalendarDate },
        { country: 'US', state: 'FL', from: '2026-11-02' as CalendarDate, to: '2026-11-02' as CalendarDate },
      ],
    });
    expect(await seller.nexusRegions()).toEqual([
      { country_code: 'CA', country: 'Canada', region_code: 'BC', region: 'British Columbia' },
      { country_code: 'US', country: 'United States', region_code: 'CA', region: 'California' },
      { country_code: 'US', country: 'United States', region_code: 'FL', region: 'Florida' },
      { country_code: 'US', country: 'United States', region_code: 'NY', region: 'New York' },
    ]);
    expect(await (await newService()).nexusRegions()).toEqual([]);
  });
};
