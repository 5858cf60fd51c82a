/** The layers of the house: imports only look down. ARCHITECTURE.md draws the same picture. */

const room = (path) => `^src/${path}/`;

/** A room may import itself, the rooms named, and packages. */
const mayImport = (from, ...rooms) => ({
  name: `${from.replaceAll('/', '-')}-looks-down`,
  severity: 'error',
  from: { path: room(from) },
  to: { path: '^(src|pipelines)/', pathNot: [from, ...rooms].map(room) },
});

/** What the rest of `app` puts together. No two of them import each other. */
const BUILT = ['close', 'serve', 'verify'];

/** A package with one home. */
const livesIn = (name, ...homes) => ({
  name: `${name.replace(/\W+/g, '-')}-has-one-home`,
  severity: 'error',
  from: { path: '^(src|pipelines)/', pathNot: homes },
  to: { path: `^node_modules/${name}/` },
});

/**
 * What tests may import beside pipelines: what others can use, and rooms that stand by themselves. The rest of the
 * close, its commands and its queue are tested by what they do, so that they can be built anew under the same tests.
 */
const TESTED_BY_THEMSELVES = [
  '^src/index\\.ts$',
  ...['kernel', 'contract', 'client', 'database', 'runtime', 'backup'].map(room),
  ...['configuration', 'decisions', 'sales', 'certificates', 'general-ledger', 'reconcile'].map((name) =>
    room(`close/${name}`),
  ),
  ...['filing', 'filing-law', 'workbook'].map((name) => room(`close/${name}`)),
  room('periods'),
  '^src/close/evidence/(keys|lock-line)\\.ts$',
  '^src/read/shapes\\.ts$',
  '^src/service/(?!ledger/)',
  '^src/service/ledger/(ledger|account|migrations)\\.ts$',
  // The lists of commands, what the build adds to the sources, and the log that a process writes.
  '^src/cli/command-table\\.ts$',
  '^src/app/program-files\\.data\\.ts$',
  '^src/app/build-log\\.ts$',
  '^src/read/read-exports\\.ts$',
  // Shares of one folder, which a test makes small.
  // A pure decision whose every branch no month of sales can reach, and a code for answers of any service.
  '^src/close/report/returns-checks\\.ts$',
  // Sums that add up wherever pages are cut, which a month in a test does in one place.
  '^src/close/figures/(filing-figures|pay-change)\\.ts$',
  '^src/close/evidence/(entry|frame|packed-answer|period-sums|read-entries|reduce)\\.ts$',
];

/**
 * What tests of hostile input call thousands of times, or with what no file system holds: the form of a manifest, the
 * check of a folder, and the writer of reject files.
 */
const CALLED_BY_HOSTILE_TESTS = [
  '^src/close/evidence/(ssh-[a-z]+|verify-files)\\.ts$',
  '^src/close/evidence/(manifest|verify-evidence|log-file)\\.ts$',
  '^src/close/report/files-to-fill-in\\.ts$',
];

/** What the simulator builds over a disk and a service of its own, and checks thousands of times. */
const CALLED_BY_SIMULATOR = ['^src/close/evidence/verify-evidence\\.ts$'];

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circles-of-types',
      severity: 'error',
      from: { path: '^src/(cli|close/evidence)/' },
      to: { circular: true, path: '^src/(cli|close/evidence)/' },
    },
    mayImport('kernel'),
    mayImport('contract', 'kernel'),
    mayImport('backup', 'database', 'runtime', 'kernel'),
    mayImport('database', 'runtime', 'kernel'),
    mayImport('runtime', 'kernel'),
    mayImport('queue', 'runtime', 'database', 'kernel'),
    mayImport('service/content', 'contract', 'kernel'),
    mayImport('service/engine', 'service/content', 'contract', 'kernel'),
    mayImport('service/suggest', 'service/content', 'service/engine', 'contract', 'kernel'),
    mayImport('service/ledger', 'database', 'contract', 'kernel'),
    mayImport('service', 'database', 'contract', 'kernel'),
    mayImport('periods', 'read', 'run', 'close', 'runtime', 'contract', 'kernel'),
    mayImport('client', 'runtime', 'contract', 'kernel'),
    mayImport('close/decisions', 'close/sales', 'contract', 'kernel'),
    mayImport('close/configuration', 'close/decisions', 'kernel'),
    mayImport('close/sales', 'contract', 'kernel'),
    mayImport('close/certificates', 'close/sales', 'runtime', 'contract', 'kernel'),
    mayImport(
      'close/reconcile',
      'close/certificates',
      'close/decisions',
      'close/sales',
      'contract',
      'kernel',
    ),
    mayImport('close/filing', 'kernel'),
    mayImport('close/general-ledger', 'close/reconcile', 'close/sales', 'kernel'),
    mayImport('close/filing-law', 'close/filing', 'kernel'),
    mayImport('close/workbook', 'runtime', 'kernel'),
    mayImport(
      'close/figures',
      'close/certificates',
      'close/configuration',
      'close/decisions',
      'close/filing',
      'close/filing-law',
      'close/general-ledger',
      'close/reconcile',
      'close/sales',
      'kernel',
    ),
    mayImport(
      'close/report',
      'close/certificates',
      'close/decisions',
      'close/figures',
      'close/filing',
      'close/filing-law',
      'close/general-ledger',
      'close/reconcile',
      'close/sales',
      'close/workbook',
      'kernel',
    ),
    mayImport(
      'close/evidence',
      'close/certificates',
      'close/decisions',
      'close/figures',
      'close/filing',
      'close/general-ledger',
      'close/reconcile',
      'close/report',
      'close/sales',
      'close/workbook',
      'runtime',
      'contract',
      'kernel',
    ),
    mayImport('run', 'close', 'client', 'runtime', 'contract', 'kernel'),
    mayImport('read', 'close', 'run', 'runtime', 'contract', 'kernel'),
    mayImport('ask', 'close', 'run', 'database', 'runtime', 'contract', 'kernel'),
    mayImport('core', 'ask', 'read', 'run', 'periods', 'close', 'runtime', 'database', 'contract', 'kernel'),
    {
      name: 'no-room-imports-app',
      severity: 'error',
      from: { path: '^(src/.+/|pipelines/)', pathNot: room('app') },
      to: { path: room('app') },
    },
    ...BUILT.map((name) => ({
      name: `app-${name}-stands-by-itself`,
      severity: 'error',
      from: { path: room(`app/${name}`) },
      to: { path: room('app/[^/]+'), pathNot: room(`app/${name}`) },
    })),
    mayImport('setup', 'read', 'close', 'run', 'runtime', 'contract', 'kernel'),
    mayImport('close', 'run', 'client', 'runtime', 'contract', 'kernel'),
    {
      name: 'pure-rooms-touch-nothing',
      severity: 'error',
      from: { path: '^src/(kernel|service/engine|close/reconcile|close/filing)/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'pipelines-know-the-close-only',
      severity: 'error',
      from: { path: '^pipelines/' },
      to: { path: '^src/(service|database|cli)/' },
    },
    {
      name: 'tests-show-what-is-done',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/(entry|simulate)/' },
      to: { path: '^src/', pathNot: [...TESTED_BY_THEMSELVES, ...CALLED_BY_HOSTILE_TESTS] },
    },
    {
      name: 'the-simulator-builds-its-own-ports',
      severity: 'error',
      from: { path: '^test/simulate/' },
      to: { path: '^src/', pathNot: [...TESTED_BY_THEMSELVES, ...CALLED_BY_SIMULATOR] },
    },
    {
      name: 'only-hostile-tests-call-these',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/(hostile/targets|security|simulate)/' },
      to: { path: CALLED_BY_HOSTILE_TESTS },
    },
    {
      name: 'tests-enter-the-program-by-two-doors',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/entry/' },
      to: {
        path: ['^pipelines/', '^src/cli/run\\.ts$', '^src/app/(close/)?build-[\\w-]+\\.ts$'],
        pathNot: TESTED_BY_THEMSELVES,
      },
    },
    livesIn('decimal.js', room('kernel')),
    livesIn('luxon', room('kernel')),
    livesIn(
      'exceljs',
      ...['close/workbook', 'service/content/import'].map(room),
      '^src/close/sales/read-workbook\\.ts$',
    ),
    livesIn('jszip', room('close/workbook')),
    livesIn('ssf', '^src/close/sales/read-workbook\\.ts$'),
    livesIn('csv-parse', room('close/sales'), room('service/content')),
    livesIn('csv-stringify', room('close/filing'), room('close/report')),
    livesIn('kysely', room('database'), room('service/ledger')),
    livesIn('pg', room('database')),
    livesIn('pg-boss', room('queue')),
    livesIn('@bomb.sh/tab', room('cli')),
    livesIn('commander', room('cli')),
    livesIn('fastify', room('service/http')),
    livesIn('prom-client', room('service/http')),
    livesIn('undici', room('client')),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
