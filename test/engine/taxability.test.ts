import { describe, expect, test } from 'vitest';
import type { SpecialRule, TaxContent } from '../../src/content/tax-content.ts';
import type { Seller } from '../../src/engine/order.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { rowsOf } from '../support/rows.ts';
import { defaultContent } from './content-with.ts';
import { orderTo, taxOf } from './tax-of.ts';

const line = (code: string | null, price: number, quantity = 1, discount = 0) => ({
  line_items: [
    {
      id: '1',
      unit_price: price,
      quantity,
      discount,
      product_tax_code: code,
    },
  ],
});
const item = (place: readonly string[], code: string | null, price: number, quantity = 1, discount = 0) => {
  const [state = '', zip = '', city] = place;
  return orderTo(state, zip, city, { ...line(code, price, quantity, discount), explain: true });
};
/** The state, ZIP code and city of `IN 46204 Indianapolis`. */
const placeOf = (text: string): readonly string[] => {
  const [state = '', zip = '', ...city] = text.split(' ');
  return [state, zip, city.join(' ')];
};
const flagsOf = (result: ReturnType<typeof taxOf>) => result.explanation?.flags ?? [];

const INDIANAPOLIS = ['IN', '46204', 'Indianapolis'];
const BOSTON = ['MA', '02110', 'Boston'];
const HARTFORD = ['CT', '06103', 'Hartford'];
const CHATTANOOGA = ['TN', '37402', 'Chattanooga'];
const AUSTIN = ['TX', '78701', 'Austin'];

describe('what a category makes of one order', () => {
  test.for(
    rowsOf(`
      IN 46204 Indianapolis | none | 100 | 1 | 0 | 7 | no code is fully taxable
      IN 46204 Indianapolis |  | 100 | 1 | 0 | 7 | an empty code is not a code
      IN 46204 Indianapolis | 12345 | 100 | 1 | 0 | 7 | an unknown code is fully taxable
      IN 46204 Indianapolis | 99999 | 100 | 1 | 0 | 0 | the exempt code is exempt everywhere
      IN 46204 Indianapolis | 40030 | 100 | 1 | 0 | 0 | the state exempts groceries
      NY 14604 Rochester | 20010 | 109.99 | 1 | 0 | 4.4 | one cent under the threshold only the county taxes
      NY 14604 Rochester | 20010 | 110 | 1 | 0 | 8.8 | at the threshold both tax the whole price
      NY 14604 Rochester | 20010 | 109.99 | 10 | 0 | 44 | ten items under the threshold stay under it
      NY 14604 Rochester | 20010 | 120 | 2 | 20.02 | 8.8 | the price after the discount counts
      NY 14604 Rochester | 20010 | 120 | 2 | 20 | 17.6 | a discount down to the threshold is not enough
      MA 02110 Boston | 20010 | 175 | 1 | 0 | 0 | nothing above the threshold
      MA 02110 Boston | 20010 | 200 | 3 | 0 | 4.69 | three times 25.00 above the threshold
      CT 06103 Hartford | 20010 | 1000 | 1 | 0 | 63.5 | at a thousand dollars still the usual rate
      CT 06103 Hartford | 20010 | 1000.01 | 1 | 0 | 77.5 | above it the luxury rate on the whole price
      CT 06103 Hartford | none | 1200 | 1 | 0 | 76.2 | the luxury rate is for clothing
      FL 32801 Orlando | none | 5000 | 2 | 0 | 650 | the cap is for one item
      FL 32801 Orlando | none | 10000 | 1 | 0 | 625 | the county takes the first 5,000 dollars of it
      TN 37402 Chattanooga | none | 1600 | 1 | 0 | 148 | up to the cap everything is taxed alike
      TN 37402 Chattanooga | none | 3200 | 1 | 0 | 304 | the whole band of the extra state tax
      TN 37402 Chattanooga | none | 10000 | 1 | 0 | 780 | above the band only the state
      TN 37402 Chattanooga | 40030 | 100 | 1 | 0 | 6.25 | a reduced state rate, the full local one
      DC 20001 Washington | 40050 | 100 | 1 | 0 | 8 | one rate for soft drinks
      DC 20001 Washington | 41000 | 100 | 1 | 0 | 10 | one rate for meals
      TX 78701 Austin | 30070 | 100 | 1 | 0 | 6.6 | four fifths of the price of software as a service
      IL 60601 Chicago | 51020 | 100 | 1 | 0 | 2.25 | a reduced state rate, and the local taxes on drugs only
    `),
  )('%s, category %s, %d x %d less %d: %d, %s', ([place, code, price, quantity, discount, tax]) => {
    const category = code === 'none' ? null : code;
    const [unit, count, off] = [price, quantity, discount].map(Number);
    expect(taxOf(item(placeOf(place), category, unit ?? 0, count, off)).amount_to_collect).toBe(Number(tax));
  });

  test('every category is known, and described', () => {
    const categories = defaultContent.categories;
    expect(categories).toHaveLength(29);
    for (const { product_tax_code: code, description } of categories) {
      expect(defaultContent.taxability.has(code)).toBe(true);
      expect(description.length).toBeGreaterThan(20);
    }
  });
});

describe('where law is doubtful the likelier side holds, and is flagged', () => {
  test.for(
    rowsOf(`
      KS 66044 Lawrence | 31000 | exempt | sources disagree
      CA 94607 Oakland | 40010 | exempt | food since 1992
      NJ 08901 New Brunswick | 19006 | exempt | cleaning of clothes is exempt
      WI 53704 Madison | 19003 | taxable | one survey
      CA 94607 Oakland | 81110 | taxable | no exemption of textbooks was found
      OK 73102 Oklahoma City | 19008 | exempt | taken with services in general
    `),
  )('%s, %s: %s (%s)', ([place, code, side, reason]) => {
    const [plain, coded] = [null, code].map((each) => taxOf(item(placeOf(place), each, 100)));
    expect(coded?.amount_to_collect).toBe(side === 'exempt' ? 0 : plain?.amount_to_collect);
    expect(coded && flagsOf(coded).join(' ')).toContain(reason);
  });

  test.for(
    rowsOf(`
      MA 02110 Boston | 30070 | a sure row says taxable
      IN 46204 Indianapolis | 19005 | a sure row says exempt
      MN 55802 Duluth | 20041 | swimwear is clothing
      NY 12534 Hudson | 81110 | two lists exempt textbooks
      DE 19901 Dover | 19005 | where nothing is taxed both sides come to the same
    `),
  )('%s, %s is not: %s', ([place, code]) => {
    expect(flagsOf(taxOf(item(placeOf(place), code, 100))).join(' ')).not.toContain(code);
  });

  test('a category that no one knows is taxed in full, and flagged', () => {
    const result = taxOf(item(INDIANAPOLIS, '77777', 100));
    expect(result.amount_to_collect).toBe(7);
    expect(flagsOf(result).join(' ')).toContain('Category 77777 is not known');
  });

  test('a day before the first row of a category is not known', () => {
    const before = taxOf(item(CHATTANOOGA, '40030', 100), { on: '2016-01-01' });
    expect(before.amount_to_collect).toBe(
      taxOf(item(CHATTANOOGA, null, 100), { on: '2016-01-01' }).amount_to_collect,
    );
    expect(flagsOf(before).join(' ')).toContain('on 2016-01-01 is not known');
  });

  test('a day before the first rate of a state takes the nearest rate', () => {
    const result = taxOf(item(['LA', '70112', 'New Orleans'], null, 100), { on: '2016-03-31' });
    expect(result.breakdown).toMatchObject({ state_tax_rate: 0.05 });
    expect(flagsOf(result).join(' ')).toContain('No rate of LA is known for 2016-03-31');
  });
});

describe('some states tax software by what it is used for, which only the seller knows', () => {
  const taxed = (place: readonly string[], buyerUse: Seller['buyerUse'], on = '2026-10-31') =>
    taxOf(item(place, '30070', 100), { seller: { nexus: [], buyerUse }, on });

  test.for(
    rowsOf(`
      OH 43215 Columbus | business | 2026-10-31 | 8 | taxed in business use
      OH 43215 Columbus | personal | 2026-10-31 | 0 | and in no other
      CT 06103 Hartford | business | 2026-10-31 | 1 | data processing at one percent
      CT 06103 Hartford | personal | 2026-10-31 | 6.35 | the full rate
      MD 21201 Baltimore | business | 2025-06-30 | 0 | commercial use was exempt
      MD 21201 Baltimore | business | 2025-07-01 | 3 | a rate of its own since
      MD 21201 Baltimore | personal | 2025-07-01 | 6 | the full rate
      MA 02110 Boston | business | 2026-10-31 | 6.25 | use makes no difference here
    `),
  )('%s for %s use on %s: %d, %s', ([place, use, on, tax]) => {
    const result = taxed(placeOf(place), use as Seller['buyerUse'], on);
    expect(result.amount_to_collect).toBe(Number(tax));
    expect(flagsOf(result).join(' ')).not.toContain('names none');
  });

  test('a seller who says nothing gets the full rate, and a flag', () => {
    const result = taxed(HARTFORD, undefined);
    expect(result.amount_to_collect).toBe(6.35);
    expect(flagsOf(result).join(' ')).toContain('names none');
  });
});

describe('a county that exempts clothing does so from its day on', () => {
  test.for([
    ['2024-02-29', 0.44, 'the day before, county and district tax a shirt of ten dollars'],
    ['2024-03-01', 0, 'from this day no one does'],
  ] as const)('%s: %d, %s', ([on, tax]) => {
    expect(taxOf(item(['NY', '10541', 'Mahopac'], '20010', 10), { on }).amount_to_collect).toBe(tax);
  });
});

describe('rules of one state', () => {
  const withSpecial = (code: string, change: (rule: SpecialRule) => SpecialRule): TaxContent => {
    const state = defaultContent.states.get(code);
    if (!state) throw new Error(`${code} is not a state`);
    const changed = { ...state, special: state.special.map(change) };
    return {
      ...defaultContent,
      states: new Map([...defaultContent.states, [code, changed]]),
      memory: new Map(),
    };
  };
  test.for([
    ['AL', ['AL', '35203', 'Birmingham'], 8],
    ['TX', AUSTIN, 8],
  ] as const)(
    'a seller who has elected the one rate of %s at %j owes %d, from the day on',
    ([state, place, tax]) => {
      const nexus = [
        { country: 'US', state, to: calendarDate('2026-09-30') },
        { country: 'US', state, from: calendarDate('2026-10-01'), oneRate: true },
      ];
      const on = (day: string) =>
        taxOf(item(place, null, 100), { seller: { nexus }, on: day }).amount_to_collect;
      expect(on('2026-10-01')).toBe(tax);
      expect(on('2026-09-30')).toBe(taxOf(item(place, null, 100), { on: '2026-09-30' }).amount_to_collect);
      const inside = {
        ...item(place, null, 100),
        from_state: state,
        from_zip: place[1],
        from_city: place[2],
      };
      expect(taxOf(inside, { seller: { nexus } }).amount_to_collect).not.toBe(tax);
    },
  );

  test('a city with a rate of its own on a category takes that rate, and nowhere else', () => {
    const denver = ['CO', '80202', 'Denver'];
    const on = (place: readonly string[], code: string | null) =>
      taxOf(item(place, code, 100)).amount_to_collect;
    expect([on(denver, null), on(denver, '41000'), on(denver, '30070')]).toEqual([9.15, 8, 5.15]);
    expect(on(['CO', '80301', 'Boulder'], '30070')).toBe(0);
  });

  test('a place that is named leaves no doubt about a tax that other places may have', () => {
    const flags = (city: string, zip: string) =>
      flagsOf(taxOf(item(['SD', zip, city], '41000', 100))).join(' ');
    expect(flags('Sioux Falls', '57104')).not.toContain('may apply');
    expect(flags('Rapid City', '57701')).toContain('may apply');
  });

  test('a local tax on meals applies where a place adopted it', () => {
    const worcester = item(['MA', '01608', 'Worcester'], '41000', 100);
    expect(taxOf(item(BOSTON, '41000', 100)).amount_to_collect).toBe(7);
    expect(flagsOf(taxOf(item(BOSTON, '41000', 100)))).toEqual([]);
    expect(taxOf(worcester).amount_to_collect).toBe(6.25);
    expect(flagsOf(taxOf(worcester)).join(' ')).toContain('may apply');
    const elsewhere = withSpecial('MA', (rule) =>
      rule.places.size > 0 ? rule : { ...rule, places: new Set(['*']) },
    );
    expect(taxOf(worcester, { content: elsewhere }).amount_to_collect).toBe(7);
  });
});
