import { type Random, seeded } from '../hostile/random.ts';

/** A sale as the export states it: an order, and what was given back of it. Amounts in cents. */
export type PlannedSale = {
  readonly id: string;
  readonly day: string;
  readonly place: readonly [city: string, state: string, zip: string];
  readonly cents: number;
  readonly shipping: number;
  readonly tax: number;
  readonly refund?: { readonly day: string; readonly percent: number };
};

/** What disturbs one run: at this thousandth of the effects that an undisturbed run has. */
export type Disturbance =
  | { readonly does: 'kill'; readonly when: 'before' | 'after'; readonly thousandth: number }
  | { readonly does: 'fill the disk'; readonly thousandth: number }
  | { readonly does: 'outage'; readonly thousandth: number };

/** What the export says for a while, and what happens to the runs that close it. The last run has no disturbance. */
export type Stretch = {
  readonly sales: readonly PlannedSale[];
  readonly changes: readonly string[];
  readonly disturbances: readonly Disturbance[];
  /** The export changes when the first disturbed run is over, so this one is never closed to its end. */
  readonly isCutShort: boolean;
  /** Close to the end, lock, and see that what follows does not change it. */
  readonly locks: boolean;
};

export type Plan = {
  readonly seed: number;
  readonly service: 'remote' | 'embedded';
  readonly callsAtOnce: number;
  /** Of a hundred calls to a remote service so many meet a fault. */
  readonly faultPercent: number;
  /** Whether the workbooks are written, too. */
  readonly reports: boolean;
  readonly stretches: readonly Stretch[];
  /** Milliseconds by which the clock jumps before each run, also backwards. */
  readonly clockJumps: readonly number[];
};

/** Every so many seeds write the workbooks, and every second of those locks the month in between. */
export const REPORT_EVERY = 50;

const PLACES = [
  ['Oakland', 'CA', '94607', 1075],
  ['San Diego', 'CA', '92101', 775],
  ['Las Vegas', 'NV', '89101', 838],
  ['Portland', 'OR', '97201', 0],
  ['Boston', 'MA', '02108', 625],
] as const;
/** In the middle of the month, and the hours around its ends in Los Angeles. */
const DAYS = [
  '2026-10-01T07:00:00Z',
  '2026-10-10',
  '2026-10-23',
  '2026-11-01T06:59:59Z',
  '2026-11-01T07:00:00Z',
] as const;
const IN_MONTH = DAYS.slice(0, 4);

export const isInMonth = (day: string): boolean => IN_MONTH.some((each) => each === day);

export const planOf = (seed: number): Plan => {
  const random = seeded(seed * 7919);
  const reports = seed % REPORT_EVERY === 0;
  const locks = seed % (2 * REPORT_EVERY) === 0;
  const stretches: Stretch[] = [];
  let sales = Array.from({ length: 1 + Math.min(random.below(8), random.below(8)) }, (_, index) =>
    saleOf(random, `${index + 1}`),
  );
  let changes: readonly string[] = [];
  const count = locks ? 2 : random.pick([1, 1, 1, 2, 2, 3]);
  for (let index = 0; index < count; index += 1) {
    if (index > 0) ({ sales, changes } = changed(random, sales, index));
    const disturbances = Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3]) }, () =>
      disturbanceOf(random, reports),
    );
    const isCutShort = !locks && index < count - 1 && disturbances.length > 0 && random.below(4) === 0;
    stretches.push({ sales, changes, disturbances, isCutShort, locks: locks && index === 0 });
  }
  return {
    seed,
    service: random.below(4) === 0 ? 'embedded' : 'remote',
    callsAtOnce: 1 + random.below(6),
    faultPercent: random.pick([0, 0, 5, 20]),
    reports,
    stretches,
    clockJumps: Array.from({ length: 5 }, () => random.pick([0, 1_000, 3_600_000, 86_400_000, -60_000])),
  };
};

const saleOf = (random: Random, id: string): PlannedSale => {
  const [city, state, zip, rate] = random.pick(PLACES);
  const cents = 1 + random.below(30_000);
  const taxed = random.below(8) === 0 ? random.below(2_000) : rate;
  return {
    id,
    day: random.pick(random.below(5) === 0 ? DAYS : IN_MONTH),
    place: [city, state, zip],
    cents,
    shipping: random.below(3) === 0 ? 495 : 0,
    tax: Math.round((cents * taxed) / 10_000),
    ...(random.below(3) === 0 && { refund: { day: random.pick(IN_MONTH), percent: random.pick([30, 100]) } }),
  };
};

/** Where workbooks are written, half of what disturbs a run does so while it publishes, or shortly before. */
const disturbanceOf = (random: Random, reports: boolean): Disturbance => {
  const thousandth = reports && random.below(2) === 0 ? 600 + random.below(400) : random.below(1_000);
  const drawn = random.below(10);
  if (drawn === 0) return { does: 'fill the disk', thousandth };
  if (drawn === 1) return { does: 'outage', thousandth };
  return { does: 'kill', when: random.pick(['before', 'after']), thousandth };
};

/** What the next export says otherwise, with words for it. */
const changed = (random: Random, sales: readonly PlannedSale[], version: number) => {
  const changes: string[] = [];
  const next = sales.flatMap((sale): PlannedSale[] => {
    const drawn = random.below(8);
    if (drawn === 0) {
      changes.push(`order ${sale.id} is gone`);
      return [];
    }
    if (drawn === 1) {
      changes.push(`order ${sale.id} is a cent more`);
      return [{ ...sale, cents: sale.cents + 1 }];
    }
    if (drawn === 2 && sale.refund === undefined) {
      changes.push(`a refund of order ${sale.id}`);
      return [{ ...sale, refund: { day: random.pick(IN_MONTH), percent: 50 } }];
    }
    if (drawn === 3 && sale.refund?.percent === 30) {
      changes.push(`more is given back of order ${sale.id}`);
      return [{ ...sale, refund: { ...sale.refund, percent: 60 } }];
    }
    if (drawn === 4) {
      const day = random.pick(DAYS);
      if (day !== sale.day) changes.push(`order ${sale.id} is of ${day}`);
      return [{ ...sale, day }];
    }
    return [sale];
  });
  if (random.below(2) === 0) {
    changes.push(`order ${version}-new`);
    next.push(saleOf(random, `${version}-new`));
  }
  return { sales: next, changes };
};

const HEADER =
  'order_id,transaction_type,transaction_reference_id,completed_at,shiptostreet,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax,exemption_type';

/** What part of an amount a refund gives back, in whole cents. */
export const partOf = (cents: number, percent: number): number => Math.round((cents * percent) / 100);

const dollars = (cents: number): string => (cents / 100).toFixed(2);

export const exportOf = (sales: readonly PlannedSale[]): string =>
  [HEADER, ...sales.flatMap(rowsOf)].map((row) => `${row}\n`).join('');

const rowsOf = (sale: PlannedSale): string[] => {
  const { id, day, place, cents, shipping, tax, refund } = sale;
  const rowOf = (start: string, at: string, percent: number): string =>
    [
      start,
      at,
      ...['1 Main St', ...place, 'US'],
      ...[shipping, cents + shipping, tax].map((amount) => dollars(partOf(amount, percent))),
      '',
    ].join(',');
  const order = rowOf(`${id},Order,`, day, 100);
  return refund ? [order, rowOf(`${id}-R,Refund,${id}`, refund.day, -refund.percent)] : [order];
};

/** The plan for a person who looks for what went wrong. */
export const planInWords = (plan: Plan): string => {
  const { seed, service, callsAtOnce, faultPercent, reports, stretches } = plan;
  const lines = stretches.flatMap(({ sales, changes, disturbances, isCutShort, locks }, index) => [
    `  export ${index + 1}: ${index === 0 ? sales.map(saleInWords).join('; ') : changes.join('; ') || 'the same'}`,
    ...disturbances.map((each, run) => `    run ${run + 1}: ${disturbanceInWords(each)}`),
    isCutShort
      ? '    then the export changes'
      : `    then a run to its end${locks ? ', and the month is locked' : ''}`,
  ]);
  return [
    `seed ${seed}: ${service} service, ${callsAtOnce} calls at once, ${faultPercent} % of calls disturbed${reports ? ', workbooks written' : ''}`,
    ...lines,
    `replay it with: npm run simulate -- --seed ${seed} --verbose`,
  ].join('\n');
};

const saleInWords = ({ id, day, place, cents, shipping, tax, refund }: PlannedSale): string =>
  `order ${id} of ${day} to ${place[1]}, ${dollars(cents)} + ${dollars(shipping)} shipping, tax ${dollars(tax)}${refund ? `, ${refund.percent} % given back on ${refund.day}` : ''}`;

const disturbanceInWords = (each: Disturbance): string => {
  const place = `about ${(each.thousandth / 10).toFixed(1)} % through`;
  if (each.does === 'kill') return `killed ${each.when} an effect ${place}`;
  return each.does === 'outage' ? `the service is out from ${place}` : `the disk is full ${place}`;
};
