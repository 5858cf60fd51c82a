import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { print } from '../served.ts';
import { aligned } from '../tell.ts';
import { type KeptClose, keptCloses } from './measured.ts';
import { CORES_OF_MEASURING, isOfModel, type Modelled, modelOf, type Plan } from './model.ts';

/**
 * `npm run bench:model [-- --orders 10000000 --workers 8 --cores 8 --database 4 --latency 50]`: `shared` is a database
 * on the processors of the workers, and `embedded` the embedded service. Without arguments, what the model says of
 * large months goes into docs/scale.md, with its check against measured closes; with them, one plan is told.
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string' },
    workers: { type: 'string', default: '0' },
    cores: { type: 'string' },
    database: { type: 'string', default: '4' },
    latency: { type: 'string', default: '50' },
    concurrency: { type: 'string', default: '64' },
  },
});
/** Dollars for an hour of one processor: an assumption, of what clouds rent them for. */
const DOLLARS_PER_CORE_HOUR = 0.05;
const kept = keptCloses();
const fitted = kept.filter(isOfModel);
const checking = kept.filter((close) => !isOfModel(close) && close.orders > 30_000);
/** Sizes whose difference is what an order costs. */
const SIZES = [100_000, 300_000] as const;
const model = modelOf(fitted);

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const time = (seconds: number): string =>
  seconds < 100
    ? `${seconds.toFixed(1)} s`
    : seconds < 6_000
      ? `${(seconds / 60).toFixed(0)} min`
      : `${(seconds / 3_600).toFixed(1)} h`;
const wallOf = ({ stages }: KeptClose): number => stages.reduce((sum, { wall }) => sum + wall, 0);

const latencyText = ({ latencyMs }: Pick<Plan, 'latencyMs'>): string =>
  latencyMs === null ? 'embedded' : `${latencyMs} ms`;

const checkOf = (close: KeptClose): readonly string[] => {
  const modelled = model({ ...close, cores: CORES_OF_MEASURING, databaseCores: 'shared' });
  const [wall, cpu] = [wallOf(close), processorOf(close)];
  const off = (found: number, is: number): string => `${(100 * (found / is - 1)).toFixed(0)} %`;
  return [
    count(close.orders),
    String(close.workers),
    latencyText(close),
    close.load,
    time(wall),
    time(modelled.seconds),
    off(modelled.seconds, wall),
    time(cpu),
    off(modelled.processorSeconds + modelled.databaseSeconds, cpu),
  ];
};

const processorOf = ({ stages }: KeptClose): number =>
  stages.reduce((sum, { close, workers, database }) => sum + close + workers + database, 0);

const CHECK_HEAD = [
  ...['orders', 'workers', 'a call', 'load before', 'measured', 'model', 'off by'],
  ...['processor', 'off by'],
];

const perOrder = (): readonly (readonly string[])[] => {
  const [small, large] = SIZES.map((orders) =>
    fitted.find((each) => each.orders === orders && each.workers === 1 && each.latencyMs === null),
  );
  return (large?.stages ?? []).map(({ stage, ...cost }) => {
    const before = small?.stages.find((each) => each.stage === stage);
    const each = (name: 'close' | 'workers' | 'database' | 'statements' | 'calls'): number =>
      Math.max(0, (cost[name] - (before?.[name] ?? 0)) / ((large?.orders ?? 0) - (small?.orders ?? 0)));
    const ms = (name: 'close' | 'workers' | 'database') => (1_000 * each(name)).toFixed(3);
    return [
      stage,
      ms('close'),
      ms('workers'),
      ms('database'),
      each('statements').toFixed(3),
      each('calls').toFixed(2),
    ];
  });
};

const PER_ORDER_HEAD = ['stage', 'close, ms', 'workers, ms', 'database, ms', 'statements', 'calls'];

const planned = (plan: Plan): readonly string[] => {
  const modelled = model(plan);
  const hours = (modelled.processorSeconds + modelled.databaseSeconds) / 3_600;
  return [
    count(plan.orders),
    String(plan.workers),
    latencyText(plan),
    String(plan.databaseCores),
    time(modelled.seconds),
    time(serialOf(modelled)),
    longestOf(modelled),
    `${count(modelled.statements)}`,
    `${hours.toFixed(1)}`,
    `${(hours * DOLLARS_PER_CORE_HOUR).toFixed(2)}`,
  ];
};

const PLAN_HEAD = [
  ...[
    'orders',
    'workers',
    'a call',
    'database processors',
    'time',
    'of it one process',
    'longest stage, and what it waits for',
  ],
  ...['statements', 'processor hours', 'dollars'],
];

const serialOf = ({ stages }: Modelled): number =>
  stages.filter(({ bound }) => bound === 'one process').reduce((sum, { seconds }) => sum + seconds, 0);

const longestOf = ({ stages }: Modelled): string => {
  const [first] = stages.toSorted((left, right) => right.seconds - left.seconds);
  return first ? `${first.stage}: ${first.bound}` : '';
};

/** A machine for every eight workers. */
const planOf = (orders: number, workers: number, latencyMs: number | null): Plan => ({
  orders,
  workers,
  latencyMs,
  concurrency: 64,
  cores: Math.max(2, workers),
  databaseCores: workers > 16 ? 32 : 8,
});

const PLANS = [1_000_000, 10_000_000, 100_000_000].flatMap((orders) =>
  [0, 4, 16, 64].flatMap((workers) => [null, 50].map((latency) => planOf(orders, workers, latency))),
);

const orders = Number(values.orders);
if (values.orders !== undefined) {
  const workers = Number(values.workers);
  const plan: Plan = {
    ...{
      orders,
      workers,
      latencyMs: values.latency === 'embedded' ? null : Number(values.latency),
      concurrency: Number(values.concurrency),
    },
    cores: Number(values.cores ?? Math.max(2, workers)),
    databaseCores: values.database === 'shared' ? 'shared' : Number(values.database),
  };
  for (const line of aligned([PLAN_HEAD, planned(plan)])) print(line);
  for (const { stage, seconds, bound } of model(plan).stages) print(`${stage}: ${time(seconds)}, ${bound}`);
} else {
  const [machine] = new Set(fitted.map(({ machine: each, day }) => `${each}, ${day}`));
  const section = [
    `Measured on ${machine} (\`npm run bench:measure\`), PostgreSQL, with a stand-in for the service and the database beside it; made by \`npm run bench:model\`.`,
    '',
    `What an order costs with one worker, from the difference between ${SIZES.map(count).join(' and ')} orders:`,
    '',
    ...aligned([PER_ORDER_HEAD, ...perOrder()]),
    '',
    'The model beside what was measured, the larger closes not being among those it is made of:',
    '',
    ...aligned([CHECK_HEAD, ...[...checking, ...fitted].map(checkOf)]),
    '',
    `What it says of large months, 64 calls at once for each worker, ${DOLLARS_PER_CORE_HOUR} dollars for an hour of a processor:`,
    '',
    ...aligned([PLAN_HEAD, ...PLANS.map(planned)]),
  ].join('\n');
  const path = new URL('../../docs/scale.md', import.meta.url);
  const [before, rest = ''] = readFileSync(path, 'utf8').split('<!-- model -->\n');
  const [, after = ''] = rest.split('<!-- end of model -->\n');
  writeFileSync(path, `${before}<!-- model -->\n${section}\n<!-- end of model -->\n${after}`);
  print(section);
}
