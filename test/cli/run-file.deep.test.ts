import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { PORTLAND, SEATTLE } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/pipelines/tax-by-state.ts', import.meta.url));

/** A file of the user's, in a folder that knows nothing of Tieout. */
const fileOf = async (text: string): Promise<string> => {
  const file = join(await temporaryFolder(), 'mine.ts');
  await writeFile(file, text);
  return file;
};

const HELLO = `
import { definePipeline, z } from 'tieout';
export const hello = definePipeline('hello', z.strictObject({ name: z.string(), times: z.int() }), async (run, close, { name, times }) => {
  await run.stage('greet', async () => ({ value: undefined, summary: 'greeted' }));
  return \`\${close.configuration.entity}: \${name}\`.repeat(times);
});
`;

const CLOSING = `
import { closeExtracted, definePipeline, extractSales, PeriodParam, z } from 'tieout';
export default definePipeline('mine', z.object({ period: PeriodParam }), async (run, close, { period }) => {
  await run.stage('extract', (advanced) => extractSales(close, advanced));
  await closeExtracted(run, close, period);
  return 'mine';
});
`;

const STAGES = `
import { definePipeline, extractSales, PeriodParam, readBackRecords, recomputeTax, reconcileSales, submitTransactions, writeReport, z } from 'tieout';
export const stages = definePipeline('stages', z.object({ period: PeriodParam }), async (run, close, { period }) => {
  await run.stage('extract', (advanced) => extractSales(close, advanced));
  for (const stage of [recomputeTax, submitTransactions, readBackRecords, reconcileSales])
    await run.stage(stage.name, (advanced) => stage(close, period, advanced));
  await run.stage('report', () => writeReport(close, period));
});
`;

/** A pipeline whose third line is this one. */
const failing = (line: string): string => `import { definePipeline, z } from 'tieout';
export const mine = definePipeline('mine', z.strictObject({}), async (run) => {
  ${line}
});
`;

describe('tieout run', () => {
  test('runs the sample pipeline, and nothing is recorded or written', async () => {
    const shop = await month({
      orders: [
        { name: '#1' },
        { name: '#2', to: SEATTLE, tax: '10.35' },
        { name: '#3', to: PORTLAND, tax: '0.00' },
      ],
    });
    expect(await shop.run('run', SAMPLE, '2026-10', 'top=2')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^extract: 3 rows: .*\nadd up: 3 sales in 3 states\nCA +10\.75\nWA +10\.35\n$/,
      ),
      stderr: '',
    });
    expect((await shop.published()).size).toBe(0);
    expect(await shop.records()).toEqual([]);
  });

  test('finds `tieout` from wherever the file lies, and converts parameters as the schema wants them', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const file = await fileOf(HELLO);
    expect(await shop.run('run', file, 'name=2026', 'times=2')).toMatchObject({
      code: 0,
      stdout: 'greet: greeted\nshop: 2026shop: 2026\n',
    });
    expect(await shop.told(0, 'run', file, 'name=x', 'times=1')).toEqual({
      entity: 'shop',
      pipeline: 'hello',
      result: 'shop: x',
      open: [],
      stopped: [],
      outdated: [],
    });
  });

  test('can put the stages of a close together again', async () => {
    const [own, other] = [
      await month({ orders: [{ name: '#1' }] }),
      await month({ orders: [{ name: '#1' }] }),
    ];
    expect(await own.run('run', await fileOf(CLOSING), '2026-10')).toMatchObject({ code: 0, stderr: '' });
    await other.close();
    expect(await own.published()).toEqual(await other.published());
  });

  test('runs for every entity, and an error of the pipeline is the exit code of its kind', async () => {
    const both = await month({
      entities: { first: { orders: [{ name: '#1' }] }, second: { orders: [{ name: '#1' }] } },
    });
    const file = await fileOf(`
      import { definePipeline, TieoutError, z } from 'tieout';
      export const picky = definePipeline('picky', z.strictObject({}), async (run, close) => {
        if (close.configuration.entity === 'second') return 'fine';
        throw new TieoutError({ code: 'E_PICKY', recovery: 'fix-input', message: 'no', nextStep: 'yes' });
      });
    `);
    const ran = await both.run('run', file);
    expect(ran).toMatchObject({
      code: 65,
      stdout: 'second\nfine\n',
      stderr: 'first: E_PICKY: no.\nyes.\n',
    });
  });

  test.for([
    ['nothing that is a pipeline', 'export const nothing = 1;', [], 'it exports no pipeline'],
    [
      'two pipelines',
      `${HELLO}\nexport const again = { ...hello };`,
      [],
      'it exports several pipelines, and none by default',
    ],
    [
      'an import that is not there',
      'import "tieaut";',
      [],
      "it cannot be loaded: Cannot find package 'tieaut'",
    ],
    ['a parameter missing', HELLO, ['name=x'], 'hello cannot run: times: is missing'],
    ['a word for a number', HELLO, ['name=x', 'times=many'], 'times: '],
    ['a parameter given twice', HELLO, ['name=x', 'times=1', 'name=y'], 'name is given twice'],
    [
      'a parameter misspelt',
      HELLO,
      ['name=x', 'times=1', 'tims=2'],
      'unknown key "tims"; did you mean "times"?',
    ],
  ] as const)('a file with %s is refused', async ([, text, params, message]) => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const ran = await shop.run('run', await fileOf(text), ...params);
    expect([ran.code, ran.stderr.split(':')[0]]).toEqual([2, 'E_PIPELINE']);
    expect(ran.stderr).toContain(message);
  });

  test('ends with 1 when a month that it closes has something open', async () => {
    const shop = await month({ orders: [{ name: '#1', tax: '99.99' }] });
    const ran = await shop.run('run', await fileOf(CLOSING), '2026-10');
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toContain('\nmine\n!! 2026-10: something is open, see its sheet Checks\n');
  });

  test('tells how each month of a backfill ended, whether or not it was closed before', async () => {
    const shop = await month({
      orders: [
        { name: '#1', at: '2026-08-10', tax: '99.99' },
        { name: '#2', at: '2026-09-10' },
      ],
    });
    const file = await fileOf("export { historicalBackfill } from 'tieout';");
    await shop.write('out/shop/2026-09', 'a file where the folder should be');
    const stopped = await shop.run('run', file, '2026-08..2026-09');
    expect(stopped.code).toBe(78);
    expect(stopped.stderr).toMatch(/^shop 2026-09: E_OUTPUT_UNWRITABLE: /);
    expect(stopped.stdout).toContain(
      '\n!! 2026-08: something is open, see its sheet Checks\n!! 2026-09: stopped with 78\n',
    );
    await rm(join(shop.folder, 'out/shop/2026-09'));
    expect(await shop.told(1, 'run', file, '2026-08..2026-09')).toMatchObject({ open: ['2026-08'] });
    expect(await shop.told(1, 'run', file, '2026-08..2026-09')).toMatchObject({
      open: ['2026-08'],
      stopped: [],
    });
  });

  test('records the books that its own stages write as a run, with their outcome', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    await shop.close();
    await shop.change({ orders: [{ name: '#1', tax: '99.99' }] });
    const ran = await shop.run('run', await fileOf(STAGES), '2026-10');
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).toContain('!! 2026-10: something is open, see its sheet Checks\n');
    const { stdout } = await shop.run('status', '2026-10');
    expect(stdout).toMatch(/^2026-10 +closed: NOT READY .*\n +variance 89\.24, 1 open exception\n/);
    await shop.change({ orders: [{ name: '#1' }] });
    await shop.run('run', await fileOf(STAGES), '2026-10');
    expect((await shop.run('status', '2026-10')).stdout).toMatch(/^2026-10 +closed: READY /);
  });

  test('leaves a closed month out of date when it stops before its first stage', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    await shop.close();
    await rename(join(shop.folder, 'orders.csv'), join(shop.folder, 'away.csv'));
    expect(await shop.run('run', await fileOf(CLOSING), '2026-10')).toMatchObject({ code: 65 });
    expect((await shop.run('status', '2026-10')).stdout).toContain('NOT CURRENT');
    expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_STALE');
  });

  test('names other closed months that are out of date with what it has read', async () => {
    const november = { name: '#9', at: '2026-11-10' };
    const shop = await month({ orders: [{ name: '#1' }, november] });
    await shop.close();
    await shop.change({ orders: [{ name: '#1' }, { name: '#2', at: '2026-10-20' }, november] });
    const ran = await shop.run('run', await fileOf(CLOSING), '2026-11');
    expect(ran.stderr).toBe(
      '2026-10 is out of date: what the exports say of it has changed since. Close it again.\n',
    );
  });

  test('names the pipeline and the line when it is its own code that fails', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const file = await fileOf(HELLO.replace("summary: 'greeted'", 'summary: name.nothing.there'));
    const ran = await shop.run('run', file, 'name=x', 'times=1');
    expect([ran.code, ran.stdout]).toEqual([65, 'greet: stopped: E_PIPELINE_FAILED, exit code 65\n']);
    expect(ran.stderr.split('\n').slice(0, 2)).toEqual([
      `E_PIPELINE_FAILED: ${file}:4: the pipeline "hello" failed: TypeError: Cannot read properties of undefined (reading 'there').`,
      'Correct the file; what the stages did before is kept.',
    ]);
  });

  test.for([
    ['an error', "throw new Error('no rates of this month.');", ':3', 'no rates of this month.'],
    ['a text', "throw 'no rates of this month';", '', 'no rates of this month.'],
    ['what Node throws at once', "JSON.parse('no rates');", ':3', 'SyntaxError: '],
    [
      'what Node throws later',
      "await (await import('node:fs/promises')).readFile('/nowhere/rates.csv');",
      ':3',
      "ENOENT: no such file or directory, open '/nowhere/rates.csv'.",
    ],
    [
      'what Node throws in a stage',
      "const { readFile } = await import('node:fs/promises'); await run.stage('rates', () => readFile('/nowhere/rates.csv'));",
      ':3',
      'ENOENT: no such file or directory',
    ],
    [
      'what Node throws without saying where',
      "const { execFile } = await import('node:child_process'); await (await import('node:util')).promisify(execFile)('/nowhere/rates');",
      '',
      'spawn /nowhere/rates ENOENT.',
    ],
    [
      'a stage that gives nothing back',
      "await run.stage('rates', async () => {});",
      ':3',
      "TypeError: Cannot destructure property 'value' of ",
    ],
    ['evaluated code', "new Function('rates')();", ':3', 'ReferenceError: rates is not defined.'],
    ['a thing without a text', 'throw Object.create(null);', '', 'what it threw has no text.'],
    [
      'an error whose trace a library has replaced',
      "throw Object.assign(new Error('no rates'), { stack: [] });",
      '',
      'no rates.',
    ],
  ] as const)('%s in the code of a pipeline is its own, and no defect', async ([, line, at, said]) => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const file = await fileOf(failing(line));
    const ran = await shop.run('run', file);
    expect(ran.code).toBe(65);
    expect(ran.stderr).toContain(`E_PIPELINE_FAILED: ${file}${at}: the pipeline "mine" failed: ${said}`);
    expect(ran.stderr).not.toContain('defect');
  });

  test('an error of a file that it imports is its own, too, and both places are named', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const file = await fileOf(`import { rateOf } from './rates.ts';\n${failing('rateOf();')}`);
    const rates = join(dirname(file), 'rates.ts');
    await writeFile(rates, "export const rateOf = () => {\n  throw new RangeError('no rate');\n};\n");
    const ran = await shop.run('run', file);
    expect(ran.code).toBe(65);
    expect(ran.stderr).toContain(
      `E_PIPELINE_FAILED: ${file}:4: the pipeline "mine" failed: RangeError: no rate (at ${rates}:2).\n`,
    );
  });

  test('an error in the schema of its parameters is its own, too', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const file = await fileOf(`
      import { definePipeline, z } from 'tieout';
      const Params = z.strictObject({ state: z.string().refine((state) => state.no.length > 0) });
      export const mine = definePipeline('mine', Params, async () => {});
    `);
    const ran = await shop.run('run', file, 'state=CA');
    expect(ran.code).toBe(65);
    expect(ran.stderr).toContain(`E_PIPELINE_FAILED: ${file}:3: the pipeline "mine" failed: TypeError: `);
  });

  test('a defect of Tieout stays one, whoever runs the stage', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const file = await fileOf(`
      import { definePipeline, extractSales, z } from 'tieout';
      export const mine = definePipeline('mine', z.strictObject({}), (run, close) =>
        run.stage('extract', (advanced) => extractSales({ ...close, configuration: undefined }, advanced)),
      );
    `);
    const ran = await shop.run('run', file);
    expect([ran.code, ran.stdout]).toEqual([70, 'extract: stopped: E_DEFECT, exit code 70\n']);
    expect(ran.stderr).toMatch(/^E_DEFECT: TypeError: /);
    expect(ran.stderr).toContain('This is a defect in Tieout: please report it');
  });

  test('leaves a closed month out of date when its own code fails before it closes it', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    await shop.close();
    const file = await fileOf(CLOSING.replace('  await run', "  throw new Error('not yet');\n  await run"));
    expect(await shop.run('run', file, '2026-10')).toMatchObject({ code: 65 });
    expect((await shop.run('status', '2026-10')).stdout).toContain('NOT CURRENT');
  });

  test('says so when there is no such file', async () => {
    const ran = await tieout(['run', '/nowhere/mine.ts', '2026-10']);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      `E_PIPELINE: /nowhere/mine.ts: there is no such file.\nName a file that exports a pipeline.\nThis was \`tieout run /nowhere/mine.ts 2026-10\` with ${join(tmpdir(), 'tieout.yaml')}.\n`,
    ]);
  });
});
