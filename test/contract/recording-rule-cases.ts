import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../support/rows.ts';
import { ORDER, REFUND, refusalOf, SANTA_MONICA } from './samples.ts';
import type { ServiceProvider, SuiteService } from './wire-calls.ts';

const MATH = 'amount must be equal to the sum of line items and shipping, excluding sales tax.';
const ID_RULE = 'transaction_id must contain only alphanumeric characters, underscores and dashes';
const LINE = { quantity: 2, unit_price: 52.5, discount: 5 };

/** One row: what differs from a good order, what the answer is, and why. */
const REFUSED = casesOf(String.raw`
  {"transaction_id":576460752303423488} | 406 | transaction_id must be text: a number of its size is rounded | two ids could be one
  {"transaction_id":""} | 406 | transaction_id is missing | blank is missing
  {"transaction_id":"#1001"} | 406 | transaction_id must contain only alphanumeric characters, underscores and dashes | outside the alphabet
  {"transaction_date":null} | 406 | transaction_date is missing | a record needs a date
  {"transaction_date":"31.10.2026"} | 406 | transaction_date must be a date (YYYY-MM-DD) or an ISO 8601 date and time | no form of the interface
  {"transaction_date":"2026-02-30"} | 406 | transaction_date must be a date (YYYY-MM-DD) or an ISO 8601 date and time | no such day
  {"to_country":null} | 406 | to_country is missing | required
  {"to_country":"United States"} | 406 | to_country must be a two-letter ISO code. | a name is not a code
  {"to_zip":"  "} | 406 | to_zip is missing | blanks are nothing
  {"to_state":null} | 406 | to_state is missing | required
  {"amount":null} | 406 | amount is missing | required
  {"amount":"lots"} | 406 | amount must be a decimal number | not a number
  {"shipping":null} | 406 | shipping is missing | null is missing
  {"sales_tax":null} | 406 | sales_tax is missing | required, be it zero
  {"exemption_type":"vip"} | 406 | exemption_type is invalid | not one of the types
  {"provider":"a\u0000b"} | 422 | provider must not contain null characters or unpaired surrogates | a null character
  {"provider":"a\uD800"} | 422 | provider must not contain null characters or unpaired surrogates | the first half of a pair
  {"to_city":"\uDC00Oakland"} | 422 | to_city must not contain null characters or unpaired surrogates | the second half of one
  {"line_items":[{"id":"\uD83D"}]} | 422 | line_items[0].id must not contain null characters or unpaired surrogates | in a line
  {"line_items":"two"} | 406 | line_items is invalid | a list is needed
  {"line_items":[{"quantity":-1}]} | 406 | line_items[0].quantity must be a whole number | less than none
  {"to_zip":"10001"} | 400 | to_zip 10001 is not used within to_state CA | a ZIP of New York
  {"to_zip":"9O404"} | 406 | to_zip 9O404 isn't a valid postal code for US | a letter in the ZIP
  {"from_zip":"10001"} | 400 | from_zip 10001 is not used within from_state CA | the other end counts as well
  {"exemption_type":"wholesale"} | 400 | sales_tax must be zero when exemption_type is wholesale | tax on an exempt sale
  {"exemption_type":"government","sales_tax":0} | 400 | sales_tax must be zero when exemption_type is government | the line has tax
`);
const LONG = { status: 400, detail: 'line_items[0].description must be at most 255 characters' };

const ACCEPTED: readonly (readonly [object, string])[] = [
  [{ line_items: [{ ...LINE, description: 'x'.repeat(255) }] }, 'a description of exactly 255 characters'],
  [{ exemption_type: 'marketplace' }, 'a marketplace collects tax'],
  [{ exemption_type: 'non_exempt' }, 'so does a sale that is not exempt'],
  [{ exemption_type: '', customer_id: null }, 'blanks are absent'],
  [{ sales_tax: 3.56, line_items: [{ ...LINE, sales_tax: 2.67 }] }, 'the tax of the lines is not checked'],
  [{ plugin: 'woo', nonsense: [1, 2] }, 'unknown keys are ignored'],
  [{ to_country: 'CA', to_state: 'BC', to_zip: 'V5K 0A1' }, 'a sale abroad'],
  [{ to_country: 'DE', to_state: 'BE', to_zip: '10115' }, 'ZIP rules of the US hold in the US'],
];

export const recordingRuleCases = (newService: ServiceProvider): void => {
  let service: SuiteService;
  let count = 0;
  beforeAll(async () => {
    service = await newService({ ...SANTA_MONICA, apiVersion: '2020-08-07' });
  });
  const newId = () => {
    count += 1;
    return `r-${count}`;
  };

  describe.each([
    ['an order', ORDER, (input: object) => service.createOrder(input as typeof ORDER)],
    ['a refund', REFUND, (input: object) => service.createRefund(input as typeof REFUND)],
  ])('%s', (_, sample, create) => {
    it.each(REFUSED)('with %j is refused with %s: %s (%s)', async (changes, status, detail) => {
      const call = create({ ...sample, transaction_id: newId(), ...changes });
      expect(await refusalOf(call)).toEqual({ status: Number(status), detail });
    });

    it('is refused with a description of more than 255 characters', async () => {
      const line_items = [{ ...LINE, description: 'x'.repeat(256) }];
      expect(await refusalOf(create({ ...sample, transaction_id: newId(), line_items }))).toEqual(LONG);
    });

    it.each(ACCEPTED)('with %j is accepted: %s', async (changes) => {
      const id = newId();
      expect(await create({ ...sample, transaction_id: id, ...changes })).toMatchObject({
        transaction_id: id,
      });
    });

    it('is refused with every problem that it has', async () => {
      const { status, detail } = await refusalOf(create({ transaction_id: '#', amount: 'x' }));
      expect(status).toBe(406);
      expect(detail).toEqual(
        expect.arrayContaining([ID_RULE, 'amount must be a decimal number', 'to_zip is missing']),
      );
    });

    it('that was refused is not recorded', async () => {
      const id = newId();
      await refusalOf(create({ ...sample, transaction_id: id, to_zip: '10001' }));
      expect(await create({ ...sample, transaction_id: id })).toMatchObject({ transaction_id: id });
    });

    it('ships from somewhere: from what is sent, or else from the address on file', async () => {
      const homeless = await newService({ nexus: SANTA_MONICA.nexus });
      const origin = {
        from_country: 'US',
        from_zip: null,
        from_state: null,
        from_city: null,
        from_street: null,
      };
      const send = (to: SuiteService, input: object) =>
        sample === ORDER ? to.createOrder(input as typeof ORDER) : to.createRefund(input as typeof REFUND);
      const nowhere = { ...sample, transaction_id: newId(), ...origin };
      expect(await refusalOf(send(homeless, nowhere))).toEqual({
        status: 400,
        detail:
          'no from address was sent, and no address is on file: `tieout account add NAME --address` puts one there',
      });
      expect(await send(service, nowhere)).toMatchObject({ from_country: 'US', from_state: null });
      expect(await send(homeless, { ...nowhere, from_state: 'CA' })).toMatchObject({ from_state: 'CA' });
    });
  });

  it('a refund has an id of its own', async () => {
    const call = service.createRefund({ ...REFUND, transaction_reference_id: REFUND.transaction_id });
    expect(await refusalOf(call)).toEqual({
      status: 422,
      detail: 'transaction_id must differ from transaction_reference_id',
    });
  });

  it('a refund need not name an order, or name one that is recorded', async () => {
    for (const transaction_reference_id of [null, '', 'unknown-order']) {
      const refund = await service.createRefund({
        ...REFUND,
        transaction_id: newId(),
        transaction_reference_id,
      });
      expect(refund.transaction_reference_id).toBe(transaction_reference_id || null);
    }
  });

  describe('by dated version', () => {
    const unbalanced = { amount: 111 };
    const unknownCode = {
      line_items: [
        { ...LINE, product_tax_code: 'P01' },
        { unit_price: 0, product_tax_code: 'Z' },
      ],
    };
    const codes = 'line_items include invalid tax codes: P01, Z';
    it.each<[string | undefined, object, string | undefined, string]>([
      ['2012-01-01', unbalanced, undefined, 'anything goes'],
      ['2012-01-01', unknownCode, undefined, 'anything goes'],
      ['2020-08-07', unbalanced, MATH, 'amounts must add up'],
      ['2020-08-07', unknownCode, undefined, 'categories are free'],
      ['2022-01-24', unbalanced, MATH, 'amounts must add up still'],
      ['2022-01-24', unknownCode, codes, 'categories must exist'],
      ['2022-01-24', {}, undefined, 'a good order is good in every version'],
      ['1999-12-31', unbalanced, MATH, 'an unknown version is ignored: the account has 2020-08-07'],
      [undefined, unbalanced, MATH, 'no version is the account’s'],
    ])('%s with %j: %s, %s', async (apiVersion, changes, detail) => {
      const versioned = await newService({ ...SANTA_MONICA, ...(apiVersion && { apiVersion }) });
      const call = versioned.createOrder({ ...ORDER, ...changes });
      if (detail === undefined) expect(await call).toMatchObject({ transaction_id: ORDER.transaction_id });
      else expect(await refusalOf(call)).toEqual({ status: 400, detail });
    });
  });

  describe('amounts add up', () => {
    it.each(
      casesOf(`
      {"amount":-110,"shipping":-10,"line_items":[{"quantity":2,"unit_price":-52.5,"discount":-5}]} | true | without signs
      {"line_items":[]} | true | there is nothing to compare with
      {"amount":"33.33","shipping":0,"line_items":[{"quantity":3,"unit_price":"11.1111"}]} | true | to the cent
      {"amount":"33.34","shipping":0,"line_items":[{"quantity":3,"unit_price":"11.1111"}]} | false | a cent is a cent
      {"amount":60,"shipping":10,"line_items":[{"unit_price":50}]} | true | no quantity is one
      {"amount":90,"shipping":0,"line_items":[{"unit_price":100},{"unit_price":-10}]} | false | a negative line is made positive
      {"amount":1,"shipping":0,"line_items":[{"quantity":1000000000,"unit_price":"900000000000"}]} | false | beyond all numbers
    `),
    )('%j: %s, %s', async (changes, isAccepted) => {
      const call = service.createOrder({ ...ORDER, transaction_id: newId(), ...changes });
      if (isAccepted === 'true') expect(await call).toHaveProperty('transaction_id');
      else expect(await refusalOf(call)).toEqual({ status: 400, detail: MATH });
    });
  });
};
