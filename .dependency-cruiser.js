/** The layers of the house: imports only look down. ARCHITECTURE.md draws the same picture. */

const room = (path) => `^src/${path}/`;

/** A room may import itself, the rooms named, and packages. */
const mayImport = (from, ...rooms) => ({
  name: `${from.replaceAll('/', '-')}-looks-down`,
  severity: 'error',
  from: { path: room(from) },
  to: { path: '^(src|pipelines)/', pathNot: [from, ...rooms].map(room) },
});

/** A package with one home. */
const livesIn = (name, ...homes) => ({
  name: `${name.replace(/\W+/g, '-')}-has-one-home`,
  severity: 'error',
  from: { path: '^(src|pipelines)/', pathNot: homes },
  to: { path: `^node_modules/${name}/` },
});

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    mayImport('kernel'),
    mayImport('contract', 'kernel'),
    mayImport('database', 'kernel'),
    mayImport('runtime', 'kernel'),
    mayImport('service/content', 'contract', 'kernel'),
    mayImport('service/engine', 'service/content', 'contract', 'kernel'),
    mayImport('service/ledger', 'database', 'contract', 'kernel'),
    mayImport('service', 'database', 'contract', 'kernel'),
    mayImport('client', 'contract', 'kernel'),
    mayImport('close/configuration', 'kernel'),
    mayImport('close/sales', 'contract', 'kernel'),
    mayImport('close/certificates', 'close/sales', 'contract', 'kernel'),
    mayImport('close/reconcile', 'close/certificates', 'close/sales', 'contract', 'kernel'),
    mayImport('close/filing', 'kernel'),
    mayImport('close/filing-content', 'close/filing', 'kernel'),
    mayImport('close/compare', 'close/sales', 'contract', 'kernel'),
    mayImport('close/workbook', 'kernel'),
    mayImport('close/pictures', 'kernel'),
    mayImport(
      'close/report',
      'close/certificates',
      'close/filing',
      'close/pictures',
      'close/reconcile',
      'close/sales',
      'close/workbook',
      'kernel',
    ),
    mayImport(
      'close/evidence',
      'close/configuration',
      'close/reconcile',
      'close/sales',
      'runtime',
      'contract',
      'kernel',
    ),
    mayImport(
      'close/workspace',
      'close/certificates',
      'close/reconcile',
      'close/sales',
      'database',
      'contract',
      'kernel',
    ),
    mayImport('close', 'client', 'runtime', 'database', 'contract', 'kernel'),
    {
      name: 'pure-rooms-touch-nothing',
      severity: 'error',
      from: { path: '^src/(kernel|service/engine|close/reconcile|close/filing|close/compare)/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'pipelines-know-the-close-only',
      severity: 'error',
      from: { path: '^pipelines/' },
      to: { path: '^src/(service|database|cli)/' },
    },
    livesIn('decimal.js', room('kernel')),
    livesIn('luxon', room('kernel')),
    livesIn('exceljs', room('close/workbook'), room('close/sales/files'), room('service/content')),
    livesIn('vega', room('close/pictures')),
    livesIn('vega-lite', room('close/pictures')),
    livesIn('ssf', room('close/sales/files')),
    livesIn('csv-parse', room('close/sales'), room('service/content')),
    livesIn('csv-stringify', room('close/filing/upload'), room('close/report')),
    livesIn('kysely', room('database'), room('service/ledger'), room('close/workspace')),
    livesIn('pg', room('database')),
    livesIn('commander', room('cli')),
    livesIn('yazl', room('close/workbook')),
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
