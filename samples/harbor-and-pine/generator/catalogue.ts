import { centsOf } from './amounts.ts';

/** What the law distinguishes; books carry a category of their own and are taxed like general goods. */
export type ProductKind = 'general' | 'clothing' | 'food';

export type Product = {
  readonly sku: string;
  readonly name: string;
  readonly kind: ProductKind;
  readonly priceCents: number;
  readonly compareAtCents: number | undefined;
  readonly vendor: string;
  /** A download has no shipping. */
  readonly shipped: boolean;
};

export const MERCHANT = 'Harbor & Pine Supply Co.';

const KIND_OF_PREFIX: Readonly<Record<string, ProductKind>> = { APP: 'clothing', GRO: 'food' };

const product = (sku: string, price: string, name: string, compareAt?: string): Product => ({
  sku,
  name,
  kind: KIND_OF_PREFIX[sku.slice(0, 3)] ?? 'general',
  priceCents: centsOf(price),
  compareAtCents: compareAt === undefined ? undefined : centsOf(compareAt),
  vendor: sku.startsWith('BKS-') ? 'Trailhead Press' : MERCHANT,
  shipped: !sku.startsWith('GEN-PDF'),
});

/** GEN-, OUT- and KIT- have no category, APP- is clothing (20010), GRO- is food (40030), BKS- is books (81100). */
export const CATALOGUE: readonly Product[] = [
  product('GEN-MUG01', '18.00', 'Enamel Camp Mug - Forest'),
  product('GEN-LNT02', '46.50', 'Harbor LED Lantern'),
  product('GEN-SKL03', '54.95', '12" Cast Iron Skillet, Pre-Seasoned'),
  product('GEN-CND04', '24.00', 'Cedar & Smoke Candle'),
  product('GEN-BLK05', '128.00', 'Pine Wool Throw Blanket - Spruce', '148.00'),
  product('GEN-THR06', '34.95', 'Steel Thermos, 32 oz'),
  product('OUT-TNT01', '289.00', 'Ridgeline Two-Person Tent', '329.00'),
  product('OUT-SLP02', '164.50', 'Tidewater Sleeping Bag - Regular / Left Zip'),
  product('OUT-PCK03', '89.95', 'Cutter 22 Daypack - Slate'),
  product('OUT-STV04', '112.49', 'Two-Burner Camp Stove'),
  product('OUT-HMK05', '74.99', 'Canopy Hammock'),
  product('OUT-CHR06', '59.95', 'Folding Dock Chair'),
  product('OUT-BTL07', '32.00', 'Insulated Bottle, 24 oz - Fog'),
  product('KIT-FIR01', '27.45', 'Fire Starter Kit'),
  product('KIT-CAF02', '68.75', 'Camp Coffee Kit'),
  product('KIT-REP03', '21.35', 'Gear Repair Kit'),
  product('APP-TEE01', '32.00', 'Organic Tee - Driftwood / M'),
  product('APP-FLN02', '78.00', 'Timber Flannel Shirt - Rust / L'),
  product('APP-JKT03', '148.00', 'Squall Rain Jacket - Navy / M'),
  product('APP-PRK04', '239.00', 'Anchor Down Parka - Black / L'),
  product('APP-SOX05', '22.50', 'Merino Crew Socks'),
  product('GRO-COF01', '17.50', 'Pier 7 Coffee Beans, 12 oz'),
  product('GRO-GRN02', '11.25', 'Maple Granola, 16 oz'),
  product('GRO-JAM03', '9.75', 'Blackberry Preserves, 8 oz'),
  product('BKS-FLD01', '26.95', 'Field Guide to Pacific Shores'),
  product('BKS-CKB02', '34.50', 'The Campfire Cookbook'),
  product('GEN-PDF01', '14.00', 'Sierra Trail Maps (PDF download)'),
];

export const productOf = (sku: string): Product => {
  const found = CATALOGUE.find((candidate) => candidate.sku === sku);
  if (found === undefined) throw new RangeError(`the catalogue has no ${sku}`);
  return found;
};
