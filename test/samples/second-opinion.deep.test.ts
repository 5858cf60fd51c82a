import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { addSeller, serveHere } from '../support/serving.ts';
import { isGiven, temporaryFolder, tieout } from '../support/tieout.ts';

const SAMPLE = fileURLToPath(new URL('../../samples/second-opinion', import.meta.url));

type Figures = {
  readonly exit_code: number;
  readonly reasons: readonly {
    readonly code: string;
    readonly over: string;
  }[];
  readonly exceptions: readonly {
    readonly code: string;
    readonly record: string;
    readonly message: string;
  }[];
};

/** The sample beside a service, with a stale content or that of Tieout, and a close of its month. */
const besideService = async (isStale: boolean) => {
  const folder = await temporaryFolder();
  await cp(SAMPLE, folder, { recursive: true, filter: isGiven });
  const stale = join(folder, 'stale-content');
  const imported = await tieout(['content', 'import', join(folder, 'stale-rate.csv'), '--content', stale]);
  expect(imported.code).toBe(0);
  const ledger = `sqlite:${join(folder, 'served.db')}`;
  const key = await addSeller(ledger, ['MA', 'WI'], 'second-opinion');
  const service = await serveHere(ledger, isStale ? stale : undefined);
  const config = join(folder, 'tieout.yaml');
  const text = await readFile(config, 'utf8');
  const named = 'url: "http://127.0.0.1:8080/v2"';
  expect(text).toContain(named);
  await writeFile(config, text.replace(named, `url: "${service.url}", retries: 0`));
  const close = async (...args: string[]) =>
    tieout(['close', '2026-10', '--config', config, '--output', join(folder, 'out'), '--json', ...args], {
      env: { TIEOUT_SERVICE_KEY: key },
    });
  return { service, close };
};

test('a service with a stale rate is doubted, sale by sale, until a person decides', async () => {
  const { service, close } = await besideService(true);
  try {
    const { code, stdout, stderr } = await close();
    expect(stderr).toBe('');
    const figures = JSON.parse(stdout) as Figures;
    expect([code, figures.exit_code]).toEqual([1, 1]);
    const doubts = figures.exceptions.filter(({ code: each }) => each === 'second-opinion-differs');
    expect(doubts.map(({ record, message }) => [record, message.split(', and')[0]])).toEqual([
      ['A-1', 'the tax service expects 4.00, Tieout’s own engine 5.00'],
      ['A-2', 'the tax service expects 6.00, Tieout’s own engine 7.50'],
    ]);
    expect(figures.reasons).toMatchObject([{ code: 'R99', over: '2.50' }]);
  } finally {
    await service.stop();
  }
});

test('a service that calculates as Tieout does is not, and one that is down ends the close and its plan with 69', async () => {
  const { service, close } = await besideService(false);
  const { code, stdout, stderr } = await close();
  expect(stderr).toBe('');
  await service.stop();
  const figures = JSON.parse(stdout) as Figures;
  expect([code, figures.reasons]).toEqual([0, []]);
  expect(figures.exceptions.filter(({ code: each }) => each === 'second-opinion-differs')).toEqual([]);
  for (const args of [[], ['--plan']])
    expect(await close(...args)).toMatchObject({
      code: 69,
      stderr: expect.stringMatching(/^E_SERVICE_UNAVAILABLE: /),
    });
});
