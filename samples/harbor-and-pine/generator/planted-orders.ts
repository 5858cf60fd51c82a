import { type OrderSpec, outside, rejected, review, warning } from './order-spec.ts';
import { MACON_BEFORE_APRIL, milliRates } from './places.ts';
import type { Plant } from './sample-order.ts';

const plant = (item: number, code: string): Plant => ({ item, code });

const OLD_MACON = { kind: 'other-rates', rates: MACON_BEFORE_APRIL } as const;
const ONLY_GEORGIA = { kind: 'other-rates', rates: milliRates(['4', '0', '0', '0']) } as const;
const FREIGHT_TAXED = { kind: 'freight-taxed' } as const;
const NO_NEXUS = { kind: 'charged-without-nexus' } as const;
const NOTHING = { kind: 'nothing-charged' } as const;
const LINES_ROUNDED = { kind: 'lines-rounded-one-by-one' } as const;
const CATEGORY_IGNORED = { kind: 'category-ignored' } as const;

/** The mistakes of the shop and the damage to the file, by order number; the README's table has the same items. */
export const PLANTED_ORDERS: Readonly<Record<number, OrderSpec>> = {
  5038: {
    city: 'Macon',
    cart: '1 OUT-TNT01, 2 GEN-MUG01',
    mistake: OLD_MACON,
    plant: plant(1, 'R02'),
  },
  5121: {
    city: 'Macon',
    cart: '1 OUT-STV04',
    shipping: '9.95',
    mistake: OLD_MACON,
    plant: plant(1, 'R02'),
  },
  5204: {
    city: 'Macon',
    cart: '1 GEN-BLK05',
    shipping: '7.95',
    mistake: ONLY_GEORGIA,
    plant: plant(1, 'R02'),
  },
  5047: {
    city: 'Los Angeles',
    cart: '1 OUT-PCK03, 1 OUT-BTL07',
    shipping: '18.50',
    mistake: FREIGHT_TAXED,
    plant: plant(2, 'R06'),
  },
  5166: {
    city: 'Cambridge',
    cart: '1 GEN-LNT02, 1 BKS-CKB02',
    shipping: '9.95',
    mistake: FREIGHT_TAXED,
    plant: plant(2, 'R06'),
  },
  5072: {
    city: 'Phoenix',
    cart: '1 OUT-HMK05, 1 KIT-FIR01',
    shipping: '7.95',
    mistake: NO_NEXUS,
    plant: plant(3, 'R10'),
  },
  5219: {
    city: 'Tucson',
    cart: '1 GEN-SKL03',
    shipping: '7.95',
    mistake: NO_NEXUS,
    plant: plant(3, 'R10'),
  },
  5084: {
    city: 'Austin',
    cart: '1 OUT-SLP02, 1 KIT-REP03',
    mistake: NOTHING,
    plant: plant(4, 'R11'),
  },
  5190: {
    city: 'Montclair',
    cart: '1 KIT-CAF02',
    shipping: '7.95',
    mistake: NOTHING,
    plant: plant(4, 'R11'),
  },
  5055: {
    city: 'Worcester',
    cart: '1 GEN-MUG01, 1 GEN-LNT02',
    shipping: '7.95',
    mistake: LINES_ROUNDED,
    plant: plant(5, 'R01'),
  },
  5143: {
    city: 'Morristown',
    cart: '1 KIT-CAF02, 1 KIT-REP03, 1 OUT-STV04',
    mistake: LINES_ROUNDED,
    plant: plant(5, 'R01'),
  },
  5251: {
    city: 'Harrisburg',
    cart: '1 GEN-SKL03, 1 GEN-THR06, 1 OUT-PCK03',
    shipping: '7.95',
    mistake: LINES_ROUNDED,
    plant: plant(5, 'R01'),
  },
  5102: {
    city: 'Seattle',
    cart: '2 OUT-CHR06, 1 GEN-CND04',
    plant: plant(6, 'R18'),
  },
  5137: {
    city: 'San Diego',
    cart: '1 OUT-BTL07, 1 GEN-MUG01',
    shipping: '7.95',
    outcome: rejected('conflicting-duplicate'),
    plant: plant(6, 'R18'),
  },
  5093: {
    city: 'Cambridge',
    cart: '1 GEN-THR06, 1 BKS-FLD01',
    shipping: '7.95',
    zip: '2139',
    outcome: warning('zip-zero-restored'),
    plant: plant(8, 'zip-zero-restored'),
  },
  5177: {
    city: 'Hoboken',
    cart: '1 OUT-CHR06',
    shipping: '7.95',
    zip: '7030',
    outcome: warning('zip-zero-restored'),
    plant: plant(8, 'zip-zero-restored'),
  },
  5009: { city: 'San Francisco', cart: '1 KIT-CAF02', shipping: '7.95', plant: plant(9, 'R16') },
  5010: {
    city: 'Oakland',
    cart: '1 OUT-HMK05, 1 GEN-MUG01',
    shipping: '7.95',
    plant: plant(9, 'R16'),
  },
  5309: {
    city: 'Los Angeles',
    cart: '1 OUT-STV04, 1 KIT-FIR01',
    shipping: '18.50',
    plant: plant(9, 'R16'),
  },
  5310: { city: 'Seattle', cart: '1 GEN-BLK05', shipping: '9.95', plant: plant(9, 'R16') },
  5158: {
    city: 'Philadelphia',
    cart: '1 OUT-CHR06, 1 GEN-CND04',
    shipping: '9.95',
    zip: "'10001",
    outcome: review('zip-not-in-state'),
    plant: plant(10, 'zip-not-in-state'),
  },
  5066: {
    city: 'Philadelphia',
    cart: '1 APP-FLN02, 2 APP-SOX05',
    shipping: '7.95',
    mistake: CATEGORY_IGNORED,
    plant: plant(11, 'R05'),
  },
  5232: {
    city: 'Hoboken',
    cart: '1 APP-JKT03',
    shipping: '9.95',
    mistake: CATEGORY_IGNORED,
    plant: plant(11, 'R05'),
  },
  5115: {
    city: 'Orlando',
    cart: '1 OUT-PCK03',
    shipping: '7.95',
    outcome: rejected('bad-cell'),
    plant: plant(12, 'bad-cell'),
  },
  5184: {
    city: 'Houston',
    cart: '2 GEN-LNT02',
    shipping: '7.95',
    status: 'settled',
    outcome: rejected('unmapped-status'),
    plant: plant(13, 'unmapped-status'),
  },
  5079: {
    channel: 'canada',
    currency: 'CAD',
    cart: '1 OUT-HMK05',
    shipping: '24.50',
    outcome: outside('foreign'),
    plant: plant(14, 'R24'),
  },
  5240: {
    channel: 'canada',
    currency: 'CAD',
    cart: '2 GEN-CND04, 1 BKS-FLD01',
    shipping: '19.95',
    outcome: outside('foreign'),
    plant: plant(14, 'R24'),
  },
};
