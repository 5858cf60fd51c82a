/** The layers of the house: imports only look down. ARCHITECTURE.md draws the same picture. */

const room = (path) => `^src/${path}/`;

/** The rooms of a close, and those of the tax service: the two meet at the port in `contract` alone. */
const CLOSE = [
  ...['setup', 'core', 'ask', 'periods', 'read', 'evidence', 'books', 'workbook'],
  ...['figures', 'configuration', 'judge', 'certificates', 'sales', 'filing'],
];
const SERVICE = ['service', 'ledger', 'import', 'engine', 'content'];

/** From the roof to the cellar: a room imports itself and rooms behind it. */
const ROOMS = [
  ...['cli', 'app', ...CLOSE, 'backup', 'queue', 'client', ...SERVICE],
  ...['database', 'contract', 'runtime', 'kernel'],
];

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
  ...['kernel', 'contract', 'client', 'database', 'runtime', 'backup', 'periods'].map(room),
  ...['configuration', 'sales', 'certificates', 'judge', 'filing', 'workbook'].map(room),
  ...['service', 'import', 'engine', 'content'].map(room),
  '^src/ledger/(ledger|account|migrations|record|recorded-transactions)\\.ts$',
  '^src/evidence/(keys|lock-line)\\.ts$',
  '^src/read/(shapes|read-exports)\\.ts$',
  // The lists of commands, what the build adds to the sources, and the log that a process writes.
  '^src/cli/command-table\\.ts$',
  '^src/app/(program-files\\.data|build-log)\\.ts$',
  // A pure decision whose every branch no month of sales can reach, and a code for answers of any service.
  '^src/books/checks\\.ts$',
  // Sums that add up wherever pages are cut, which a month in a test does in one place.
  '^src/figures/(filing-figures|read-balances|roll-forward)\\.ts$',
  '^src/evidence/(entry|frame|packed-answer|period-sums|read-entries|reduce)\\.ts$',
];

/**
 * What tests of hostile input call thousands of times, or with what no file system holds: the form of a manifest, the
 * check of a folder, and the writer of reject files.
 */
const CALLED_BY_HOSTILE_TESTS = [
  '^src/evidence/(ssh-[a-z]+|verify-files|manifest|verify-evidence|log-file)\\.ts$',
  '^src/books/files-to-fill-in\\.ts$',
];

export default {
  forbidden: [
    // Of types neither.
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    ...ROOMS.slice(1).map((name, index) => ({
      name: `${name}-looks-down`,
      severity: 'error',
      from: { path: room(name) },
      to: { path: ROOMS.slice(0, index + 1).map(room) },
    })),
    {
      name: 'every-room-has-a-floor',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: ROOMS.map(room) },
    },
    {
      name: 'the-close-knows-the-port-only',
      severity: 'error',
      from: { path: [...CLOSE, 'client'].map(room) },
      to: { path: [...SERVICE, 'queue', 'backup'].map(room) },
    },
    {
      name: 'pipelines-are-for-commands',
      severity: 'error',
      from: { path: '^src/', pathNot: ['app', 'cli'].map(room).concat('^src/index\\.ts$') },
      to: { path: '^pipelines/' },
    },
    {
      name: 'pure-rooms-touch-nothing',
      severity: 'error',
      from: {
        path: ['kernel', 'engine', 'judge', 'filing'].map(room),
        pathNot: '^src/(judge/decided-in|filing/(filing-law\\.data|read-filing-law))\\.ts$',
      },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'pipelines-know-the-close-only',
      severity: 'error',
      from: { path: '^pipelines/' },
      to: { path: ['cli', 'database', ...SERVICE].map(room) },
    },
    {
      name: 'tests-show-what-is-done',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/entry/' },
      to: { path: '^src/', pathNot: [...TESTED_BY_THEMSELVES, ...CALLED_BY_HOSTILE_TESTS] },
    },
    {
      name: 'only-hostile-tests-call-these',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/(hostile/targets|security)/' },
      to: { path: CALLED_BY_HOSTILE_TESTS },
    },
    {
      name: 'tests-enter-the-program-by-two-doors',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/entry/' },
      to: {
        path: ['^pipelines/', '^src/cli/(run|io)\\.ts$', '^src/app/build-[\\w-]+\\.ts$'],
        pathNot: TESTED_BY_THEMSELVES,
      },
    },
    livesIn('decimal.js', room('kernel')),
    livesIn('luxon', room('kernel')),
    livesIn('exceljs', room('workbook'), '^src/sales/read-workbook\\.ts$'),
    livesIn('jszip', room('workbook')),
    livesIn('ssf', '^src/sales/read-workbook\\.ts$'),
    livesIn('csv-parse', ...['sales', 'content', 'import'].map(room)),
    livesIn('csv-stringify', ...['filing', 'books'].map(room)),
    livesIn('kysely', ...['database', 'ledger'].map(room)),
    livesIn('pg', room('database')),
    livesIn('pg-boss', room('queue')),
    livesIn('commander', room('cli')),
    livesIn('fastify', room('service')),
    livesIn('prom-client', room('service')),
    livesIn('undici', room('client')),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
