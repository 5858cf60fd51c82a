import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import type { PlaceFigures } from '../filing/state-figures.ts';
import type { DetailRow } from '../reconcile/detail-row.ts';
import { placeNameIn } from '../reconcile/open-variance.ts';
import { rateBeyond } from '../reconcile/rate-claim.ts';
import { taxableOf } from './gap-parts.ts';

/** Add all levels of a sale together to its place. A place of which rates are missing is named as the sale names it. */
export const addPlace = (places: Map<string, PlaceFigures>, row: DetailRow, gap: Money): void => {
  const isGap = gap !== ZERO;
  const taxed = row.levels.filter(({ taxable, tax }) => taxable !== ZERO || tax !== ZERO);
  if (taxed.length === 0 && !isGap) return;
  const nameOf = (level: string): string | undefined => taxed.find((each) => each.level === level)?.name;
  const [district = '', districtCity = ''] = (nameOf('special') ?? '').split(' / ');
  const county = nameOf('county') ?? district;
  const city = nameOf('city') ?? (isGap ? placeNameIn(row) : districtCity);
  const local = taxed.filter(({ level }) => level !== 'state');
  const missing = isGap && row.shared ? rateBeyond(row.shared) : 0;
  const totalRate = (rows: typeof taxed): Rate =>
    rate(rows.reduce((total, each) => total + each.rate, missing as number));
  const totalTax = (rows: typeof taxed): Money => sum(rows.map(({ tax }) => tax));
  const [all, ofLocal] = [totalRate(taxed), totalRate(local)];
  const key = JSON.stringify([county, city, String(all).padStart(9, '0'), ofLocal, isGap]);
  const known = places.get(key);
  places.set(key, {
    county,
    city,
    rate: all,
    localRate: ofLocal,
    taxable: add(known?.taxable ?? ZERO, taxableOf(row)),
    tax: add(known?.tax ?? ZERO, totalTax(taxed)),
    localTax: add(known?.localTax ?? ZERO, totalTax(local)),
    gapTax: add(known?.gapTax ?? ZERO, gap),
    isGap,
  });
};
