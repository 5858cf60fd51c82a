import { expect, it } from 'vitest';
import { type Random, seeded } from '../hostile/random.ts';
import type { Figures, LateFigures, StateFigures } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { LAS_VEGAS, OAKLAND, type Order, type Place } from '../support/shop-exports.ts';
import { entriesModel, type Said, type Sums } from './entries-model.ts';

/** `ENTRIES=1-200` for two hundred histories. */
const [first = 1, last = first + 5] = (process.env['ENTRIES'] ?? '1-6').split('-').map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);

const SAN_DIEGO: Place = { city: 'San Diego', zip: '92101', state: 'CA' };
const BOSTON: Place = { city: 'Boston', zip: '02108', state: 'MA' };
const RATES: ReadonlyMap<Place, number> = new Map([
  [OAKLAND, 1075],
  [SAN_DIEGO, 775],
  [BOSTON, 625],
  [LAS_VEGAS, 0],
]);
const PLACES = [...RATES.keys()];

/** Moments, and their months in Los Angeles and in New York. */
const MOMENTS = [
  ['2026-10-05 12:00:00 -0700', '2026-10', '2026-10'],
  ['2026-10-20 12:00:00 -0700', '2026-10', '2026-10'],
  ['2026-10-31 22:30:00 -0700', '2026-10', '2026-11'],
  ['2026-11-10 12:00:00 -0800', '2026-11', '2026-11'],
  ['2026-12-05 12:00:00 -0800', '2026-12', '2026-12'],
] as const;
const REFUNDED = ['2026-10-25', '2026-11-15', '2026-12-15'];
const ZONES = ['America/Los_Angeles', 'America/New_York'];
const MONTHS = ['2026-10', '2026-11', '2026-12'];
/** Late items after a new export, more often than other things. */
const EVENTS = [
  'export',
  'export',
  'export',
  'carry',
  'carry',
  'carry',
  'amend',
  'lock',
  'lock',
  'unlock',
  'close',
  'zone',
  'register',
] as const;
const WHY = ['--open-exceptions', 'drawn by chance'];

/** An order of a shop; of a price by which every level of tax comes to whole cents. */
type Sold = {
  readonly name: string;
  readonly moment: (typeof MOMENTS)[number];
  readonly price: number;
  readonly tax: number;
  readonly place: Place;
  readonly isVoided: boolean;
  readonly refundedOn?: string;
};

const soldOf = (random: Random, name: string): Sold => ({
  name,
  moment: random.pick(MOMENTS),
  price: 4_000 * (1 + random.below(20)),
  tax: random.below(5_000),
  place: random.pick(PLACES),
  isVoided: false,
});

/** What the next export says of an order: mostly the same. What was paid back stays. */
const changed = (random: Random, sold: Sold): readonly Sold[] => {
  const drawn = random.below(14);
  if (drawn === 0) return [sold, soldOf(random, `${sold.name}${random.below(1_000)}`)];
  if (drawn === 1) return [{ ...sold, price: sold.price + 4_000 }];
  if (drawn === 2) return [{ ...sold, tax: random.below(5_000) }];
  if (drawn === 3) return [{ ...sold, place: random.pick(PLACES) }];
  if (drawn === 4) return [{ ...sold, moment: random.pick(MOMENTS) }];
  if (drawn === 5 && !sold.isVoided) return [{ refundedOn: random.pick(REFUNDED), ...sold }];
  if (drawn === 6 && sold.refundedOn === undefined) return [{ ...sold, isVoided: !sold.isVoided }];
  return [sold];
};

const dollars = (cents: number): string => (cents / 100).toFixed(2);

const orderOf = ({ name, moment, price, tax, place, isVoided, refundedOn }: Sold): Order => ({
  name,
  at: moment[0],
  price: dollars(price),
  tax: dollars(tax),
  to: place,
  ...(isVoided && { status: 'voided' }),
  ...(refundedOn !== undefined && { refundedOn }),
});

const saidOf = (sold: readonly Sold[], zone: number): ReadonlyMap<string, Said> =>
  new Map(
    sold.flatMap(({ name, moment, price, tax, place, isVoided, refundedOn }): [string, Said][] => {
      if (isVoided) return [];
      const amounts = { state: place.state, price, tax, rate: RATES.get(place) ?? 0, zip: place.zip };
      const order = { month: moment[1 + zone] ?? '', at: moment[0], isRefund: false, ...amounts };
      if (refundedOn === undefined) return [[name, order]];
      const refund = { month: refundedOn.slice(0, 7), at: refundedOn, isRefund: true, ...amounts };
      return [
        [name, order],
        [`${name} refund`, refund],
      ];
    }),
  );

const cents = (text: string): number => Math.round(Number(text) * 100);

const sumsOf = (states: readonly StateFigures[]): Sums =>
  Object.fromEntries(
    states
      .map(
        ({ state, gross, collected, expected }) =>
          [state, [cents(gross), cents(collected), cents(expected)] as const] as const,
      )
      .filter(([, sum]) => sum.some((amount) => amount !== 0)),
  );

/** Live a history with the program and with the model, and compare what each month comes to after every step. */
const live = async (seed: number): Promise<void> => {
  const random = seeded(seed);
  const model = entriesModel();
  const steps: string[] = [];
  let sold: readonly Sold[] = Array.from({ length: 3 + random.below(5) }, (_, at) =>
    soldOf(random, `#${at + 1}`),
  );
  let zone = 0;
  let states = ['CA'];
  const shop: Month = await month();

  const same = (found: unknown, wanted: unknown): void =>
    expect(found, `seed ${seed}: ${steps.join('; ')}`).toEqual(wanted);
  const told = async <Told>(...args: readonly string[]): Promise<Told> =>
    JSON.parse((await shop.run(...args, '--json')).stdout) as Told;
  const publish = async (): Promise<void> => {
    model.say(saidOf(sold, zone));
    model.register(states);
    const registrations = states.map((state) => ({ state, since: '2019-01-01' }));
    await shop.change({
      orders: sold.map(orderOf),
      settings: { timeZone: ZONES[zone], registrations },
    });
  };
  const close = async (period: string): Promise<void> =>
    same(sumsOf((await told<Figures>('close', period)).states), model.sums(period));
  const lock = async (period: string): Promise<void> => {
    await close(period);
    await shop.told(0, 'lock', period, ...WHY);
    model.lock(period);
    await close(period);
  };
  const decide = async (period: string, choice: 'carry' | 'amend'): Promise<void> => {
    const { open } = await told<LateFigures>('late', period);
    const records = model.lateKeys(period).map((key) => key.replace(' refund', ''));
    same(new Set(open.map(({ record }) => record)), new Set(records));
    model.decide(period, choice);
    const label = model.amendedOf(period);
    const isAmended = choice === 'amend' && model.hasBegun(period);
    const { amended } = await told<LateFigures>('late', period, `--${choice}`, ...WHY);
    same(amended?.period, isAmended ? label : undefined);
    if (!amended) return;
    model.lock(label);
    same(sumsOf(amended.states), model.sums(label));
  };
  const unlock = async (label: string): Promise<void> => {
    const { code } = await shop.run('unlock', label, '--reason', 'drawn by chance');
    steps.push(`code ${code}`);
    if (model.isBound(label)) same(code, 2);
    if (code === 0) model.unlock(label);
  };
  const happen = async (what: (typeof EVENTS)[number]): Promise<void> => {
    const locked = model.locked();
    const open = MONTHS.filter((period) => !locked.includes(period));
    if (what === 'export') sold = sold.flatMap((one) => changed(random, one));
    if (what === 'zone') zone = 1 - zone;
    if (what === 'register') states = states.length === 1 ? ['CA', 'MA'] : ['CA'];
    await publish();
    const among = what === 'unlock' ? locked : what === 'lock' ? open : MONTHS;
    if (among.length === 0) return;
    // Mostly the oldest month, so that what is late for it has to go a long way.
    const period = what === 'unlock' || random.below(3) === 0 ? random.pick(among) : (among[0] ?? '');
    steps.push(`${what} ${period}`);
    if (what === 'unlock') await unlock(period);
    else if (what === 'lock') await lock(period);
    else if ((what === 'carry' || what === 'amend') && locked.includes(period)) await decide(period, what);
    else if (what === 'close') await close(period);
  };

  await publish();
  await lock('2026-10');
  for (let step = 0; step < 12; step += 1) await happen(random.pick(EVENTS));
  for (const period of [...MONTHS, '2027-01']) await close(period);
  for (const label of model.locked()) {
    const problems = await shop.verify(label);
    // A month that was unlocked may have been closed and locked again after those behind it.
    same(
      problems.filter((problem) => !problem.includes('is not what this period was built on')),
      [],
    );
  }
};

it.each(SEEDS)(
  'books of seed %i are the sums of their entries, whatever is locked, late and unlocked',
  live,
  600_000,
);
