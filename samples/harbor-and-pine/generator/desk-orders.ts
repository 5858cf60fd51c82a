import { centsOf, type MilliPercent, milliPercent, roundToCents } from './amounts.ts';
import { productOf } from './catalogue.ts';

/** One line of the desk's spreadsheet. */
export type DeskLine = {
  readonly sku: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly discountCents: number;
};

type Address = readonly [street: string, city: string, state: string, zip: string, country?: string];

/** An order or refund of the wholesale desk, what was charged, and the reckoning of what should have been. */
export type DeskOrder = {
  readonly id: string;
  readonly of?: string;
  /** Wall clock with its offset, as the spreadsheet has it. */
  readonly takenAt: string;
  readonly customer: string;
  readonly exempt?: 'resale' | 'government';
  readonly platform?: { readonly name: string; readonly taxCents: number };
  readonly to: Address;
  readonly currency?: string;
  readonly lines: readonly DeskLine[];
  readonly shippingCents: number;
  readonly chargedCents: number;
  readonly correctCents: number;
  /** The reason under which a close must show it, and what went wrong. */
  readonly code: string;
  readonly story: string;
  /** Tax at stake where the order itself has no variance. */
  readonly atStakeCents?: number;
};

const line = (text: string, discount = '0'): DeskLine => {
  const [quantity = '', sku = ''] = text.split(' ');
  return {
    sku,
    quantity: Number(quantity),
    unitCents: productOf(sku).priceCents,
    discountCents: centsOf(discount),
  };
};

const at = (percent: string): MilliPercent => milliPercent(percent);

/** The tax on an amount at one combined rate, rounded once. */
const tax = (amount: string, rate: MilliPercent): number => roundToCents(centsOf(amount) * rate);

const base = { customer: 'C-100', shippingCents: 0 } as const;

/** What the desk got wrong in October, one order per reason; each reckoned by hand from rates that are cited in places.ts. */
export const DESK_ORDERS: readonly DeskOrder[] = [
  {
    ...base,
    id: 'D-501',
    takenAt: '2026-10-02T10:15:00-07:00',
    to: ['14 Elm Street', 'Worcester', 'MA', '01608'],
    lines: [line('1 GEN-MUG01'), line('1 GEN-LNT02')],
    chargedCents: tax('18.00', at('6.25')) + tax('46.50', at('6.25')),
    correctCents: tax('64.50', at('6.25')),
    code: 'R01',
    story: 'each line rounded by itself',
  },
  {
    ...base,
    id: 'D-502',
    takenAt: '2026-10-02T11:40:00-07:00',
    to: ['210 Grant Street', 'Pittsburgh', 'PA', '15222'],
    lines: [line('1 OUT-STV04')],
    chargedCents: tax('112.49', at('6')),
    correctCents: tax('112.49', at('7')),
    code: 'R02',
    story: 'at Pennsylvania’s 6% without the county’s 1%',
  },
  {
    ...base,
    id: 'D-503',
    takenAt: '2026-10-03T09:05:00-07:00',
    to: ['3900 Overland Avenue', 'Culver City', 'CA', '90230'],
    lines: [line('1 OUT-PCK03')],
    chargedCents: tax('89.95', at('9.75')),
    correctCents: tax('89.95', at('10.75')),
    code: 'R03',
    story: 'at the 9.75% that most of ZIP 90230 has; Culver City has 10.75%',
  },
  {
    ...base,
    id: 'D-504',
    takenAt: '2026-10-03T14:20:00-07:00',
    to: ['88 Howard Street', 'San Francisco', 'CA', '94103'],
    lines: [line('1 OUT-HMK05')],
    chargedCents: tax('74.99', at('8.75')),
    correctCents: tax('74.99', at('8.625')),
    code: 'R04',
    story: 'at the 8.75% of Sacramento, where it was sent from',
  },
  {
    ...base,
    id: 'D-505',
    takenAt: '2026-10-05T08:30:00-07:00',
    to: ['5 Church Street', 'Montclair', 'NJ', '07042'],
    lines: [line('1 APP-TEE01'), line('1 GEN-LNT02')],
    chargedCents: tax('78.50', at('6.625')),
    correctCents: tax('46.50', at('6.625')),
    code: 'R05',
    story: 'a shirt taxed in New Jersey, which exempts clothing',
  },
  {
    ...base,
    id: 'D-506',
    takenAt: '2026-10-05T13:10:00-07:00',
    to: ['600 F Street', 'San Diego', 'CA', '92101'],
    lines: [line('1 OUT-CHR06')],
    shippingCents: centsOf('12.00'),
    chargedCents: tax('71.95', at('7.75')),
    correctCents: tax('59.95', at('7.75')),
    code: 'R06',
    story: 'shipping of 12.00 taxed in California',
  },
  {
    ...base,
    id: 'D-507',
    customer: 'C-207',
    takenAt: '2026-10-06T09:30:00-07:00',
    to: ['900 Broadway', 'Oakland', 'CA', '94607'],
    lines: [line('1 GEN-BLK05')],
    chargedCents: tax('128.00', at('10.75')),
    correctCents: 0,
    code: 'R07',
    story: 'taxed, although the certificate RES-0207 of the customer is on file',
  },
  {
    ...base,
    id: 'D-508',
    customer: 'C-310',
    exempt: 'government',
    takenAt: '2026-10-06T14:15:00-07:00',
    to: ['1 City Hall Square', 'Boston', 'MA', '02108'],
    lines: [line('1 OUT-HMK05')],
    chargedCents: 0,
    correctCents: 0,
    atStakeCents: -tax('74.99', at('6.25')),
    code: 'R08',
    story: 'called exempt, and no certificate is on file: 4.69 at stake',
  },
  {
    ...base,
    id: 'D-509',
    takenAt: '2026-10-07T16:45:00-07:00',
    platform: { name: 'Trailmarket', taxCents: tax('54.95', at('6.625')) },
    to: ['31 South Street', 'Morristown', 'NJ', '07960'],
    lines: [line('1 GEN-SKL03')],
    chargedCents: 330,
    correctCents: 0,
    code: 'R09',
    story: 'sold on a marketplace that collected the tax; the desk charged 3.30 beside it',
  },
  {
    ...base,
    id: 'D-510',
    takenAt: '2026-10-08T10:00:00-07:00',
    to: ['12 Cary Street', 'Richmond', 'VA', '23219'],
    lines: [line('1 GEN-LNT02')],
    chargedCents: tax('46.50', at('6')),
    correctCents: 0,
    code: 'R10',
    story: 'tax collected in Virginia without nexus',
  },
  {
    ...base,
    id: 'D-511',
    takenAt: '2026-10-08T15:25:00-07:00',
    to: ['700 Pike Street', 'Seattle', 'WA', '98101'],
    lines: [line('1 GEN-THR06')],
    chargedCents: 0,
    correctCents: tax('34.95', at('10.55')),
    code: 'R11',
    story: 'nothing collected in Seattle',
  },
  {
    ...base,
    id: 'D-512',
    takenAt: '2026-10-09T09:50:00-07:00',
    to: ['22 State Street', 'Madison', 'WI', '53703'],
    lines: [line('1 GEN-SKL03')],
    chargedCents: tax('54.95', at('5.5')),
    correctCents: 0,
    code: 'R12',
    story: 'tax collected in Wisconsin on October 9; the registration begins on October 15',
  },
  {
    ...base,
    id: 'D-413',
    takenAt: '2026-03-16T11:00:00-07:00',
    to: ['455 Cherry Street', 'Macon', 'GA', '31201'],
    lines: [line('1 OUT-TNT01')],
    chargedCents: tax('289.00', at('7')),
    correctCents: tax('289.00', at('7')),
    code: '',
    story: 'an order of March, right at the 7% of that time',
  },
  {
    ...base,
    id: 'D-513',
    of: 'D-413',
    takenAt: '2026-10-12T12:00:00-07:00',
    to: ['455 Cherry Street', 'Macon', 'GA', '31201'],
    lines: [line('1 OUT-TNT01')],
    chargedCents: tax('289.00', at('8')),
    correctCents: tax('289.00', at('7')),
    code: 'R13',
    story: 'given back at the 8% of October; its order of March bore 7%',
  },
  {
    ...base,
    id: 'D-514',
    of: 'D-298',
    takenAt: '2026-10-12T16:30:00-07:00',
    to: ['90 Broad Street', 'Newark', 'NJ', '07102'],
    lines: [line('1 GEN-BLK05')],
    chargedCents: tax('128.00', at('6.625')),
    correctCents: tax('128.00', at('6.625')),
    code: 'R14',
    story: 'a refund of D-298, which is in no export; posted as it stands',
  },
  {
    ...base,
    id: 'D-515',
    takenAt: '2026-10-13T10:35:00-07:00',
    to: ['401 Ashley Drive', 'Tampa', 'FL', '33602'],
    lines: [line('1 OUT-STV04', '12.49')],
    chargedCents: tax('112.49', at('7.5')),
    correctCents: tax('100.00', at('7.5')),
    code: 'R15',
    story: 'taxed before the discount of 12.49',
  },
  {
    ...base,
    id: 'D-516',
    takenAt: '2026-10-31T18:40:00-07:00',
    to: ['1400 Clay Street', 'Oakland', 'CA', '94607'],
    lines: [line('1 GEN-CND04')],
    chargedCents: tax('24.00', at('10.75')),
    correctCents: tax('24.00', at('10.75')),
    code: 'R16',
    story: 'on October 31 where the seller is, on November 1 in UTC',
  },
  {
    ...base,
    id: 'D-518',
    takenAt: '2026-10-15T14:05:00-07:00',
    to: ['77 Third Street', 'Macon', 'GA', '31201'],
    lines: [line('3 OUT-BTL07')],
    chargedCents: tax('96.00', at('8')),
    correctCents: tax('96.00', at('8')),
    code: 'R18',
    story: 'stands in the spreadsheet twice; counted once',
  },
  {
    ...base,
    id: 'D-521',
    takenAt: '2026-10-20T09:15:00-07:00',
    to: ['1 Beacon Street', 'Boston', 'MA', '02108'],
    lines: [line('2 APP-JKT03')],
    chargedCents: tax('121.00', at('6.25')),
    correctCents: 0,
    code: 'R21',
    story: 'the 175.00 that Massachusetts frees of each piece of clothing was freed once for two jackets',
  },
  {
    ...base,
    id: 'D-523',
    takenAt: '2026-10-21T11:55:00-07:00',
    to: ['1500 Market Street', 'Philadelphia', 'PA', '19103'],
    lines: [line('1 OUT-PCK03')],
    chargedCents: 500,
    correctCents: tax('89.95', at('8')),
    code: 'R23',
    story: '5.00 agreed with the customer; the configuration names it and says why',
  },
  {
    ...base,
    id: 'D-524',
    takenAt: '2026-10-22T13:00:00-07:00',
    to: ['800 rue Sainte-Catherine', 'Montréal', 'QC', 'H3B 1B9', 'CA'],
    currency: 'CAD',
    lines: [line('1 OUT-HMK05')],
    chargedCents: 0,
    correctCents: 0,
    code: 'R24',
    story: 'in Canadian dollars: visible, not filed',
  },
  {
    ...base,
    id: 'D-525',
    takenAt: '2026-10-23T10:10:00-07:00',
    to: ['200 Flagler Street', 'Miami', 'FL', '33130'],
    lines: [{ ...line('1 GEN-BLK05'), unitCents: 10_700 }],
    chargedCents: centsOf('107.00') - centsOf('100.00'),
    correctCents: tax('107.00', at('7')),
    code: 'R25',
    story: 'taken for a price of 107.00 with 7% in it',
  },
  {
    ...base,
    id: 'D-526',
    takenAt: '2026-10-24T15:45:00-07:00',
    to: ['350 Main Street', 'Los Angeles', 'CA', '90012'],
    lines: [line('1 GEN-MUG01'), line('1 KIT-FIR01')],
    shippingCents: centsOf('9.95'),
    chargedCents: tax('18.00', at('9.75')) + tax('27.45', at('9.75')) + tax('9.95', at('9.75')),
    correctCents: tax('45.45', at('9.75')),
    code: 'R06',
    story: 'two things at once: shipping taxed, and every line rounded by itself',
  },
  {
    ...base,
    id: 'D-527',
    customer: 'C-208',
    exempt: 'resale',
    takenAt: '2026-10-26T10:20:00-07:00',
    to: ['1200 Lake Avenue', 'Orlando', 'FL', '32801'],
    lines: [line('1 OUT-STV04')],
    chargedCents: 0,
    correctCents: 0,
    atStakeCents: -tax('112.49', at('6.5')),
    code: 'R08',
    story: 'called exempt; the certificate RES-0208 expired on September 30: 7.31 at stake',
  },
  {
    ...base,
    id: 'D-528',
    customer: 'C-207',
    exempt: 'resale',
    takenAt: '2026-10-27T11:30:00-07:00',
    to: ['20 West 28th Street', 'New York', 'NY', '10001'],
    lines: [line('4 GEN-LNT02')],
    chargedCents: 0,
    correctCents: 0,
    code: '',
    story: 'exempt, and RES-0207 is on file',
  },
];

/** The order that stands in the spreadsheet twice, cell for cell. */
export const DESK_DUPLICATE = 'D-518';
