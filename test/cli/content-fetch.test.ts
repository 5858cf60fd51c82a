import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { webFiles } from '../../src/client/web-files.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import { stageImports } from '../../src/service/content/import/staged-imports.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { zipOf } from '../hostile/zip-of.ts';
import { contentWithFiles } from '../service/content/fetch/own-files.ts';
import { nebraska, publisher } from '../service/content/fetch/publisher.ts';
import { tieout } from '../support/tieout.ts';

const listing = (...names: readonly string[]): string =>
  names.map((name) => `<A HREF="/Rates/${name}">${name}</A><br>`).join('\n');

/** A folder of Streamlined files with two issues of Nebraska, and a content that knows it. */
const shop = async (file: Parameters<typeof publisher>[0][string] = nebraska()) => {
  const web = await publisher({
    '/Rates/': listing(
      'NER2025Q2FEB18.csv',
      'NER2026Q3AUG20.csv',
      'NER2026Q3MAY20.csv',
      'KSR2026Q3MAY20.csv',
    ),
    '/Rates/NER2026Q3AUG20.csv': file,
  });
  const folder = contentWithFiles([{ state: 'NE', page: `${web.url}/Rates/`, file: 'NER*' }]);
  const fetch = (...args: readonly string[]) =>
    tieout(['content', 'fetch', '--content', folder.content, '--state', 'NE', ...args]);
  return { web, ...folder, fetch };
};

const omaha = (content: string) =>
  loadContent(content)
    .states.get('NE')
    ?.localRates.filter(({ code }) => code === '37000')
    .map(({ rate }) => rate);

describe('content fetch', () => {
  test('takes the newest issue, keeps it with its digest, shows what it changes, and imports it', async () => {
    const { web, content, parent, fetch } = await shop();
    const { code, stdout, stderr } = await fetch('--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /NE rates: \d{4}-\d\d-\d\d\/NER2026Q3AUG20\.csv, \d+ bytes, sha256 [0-9a-f]{64}, fetched/,
    );
    expect(stdout).toContain('NER2026Q3AUG20.csv: sst-rates NE 2026Q3, 3 rows');
    expect(stdout).toContain('imported; the content is now 2+1');
    expect(omaha(content)).toEqual([200_000]);
    expect(web.asked).toEqual(['/Rates/', '/Rates/NER2026Q3AUG20.csv']);
    expect(readdirSync(parent).sort()).toEqual(['content', 'content-downloads']);
  });

  test('does the same work once: neither fetched nor imported again, and nothing changes', async () => {
    const { web, content, fetch } = await shop();
    await fetch('--yes');
    const before = readFileSync(join(content, 'manifest.json'), 'utf8');
    const again = await fetch('--yes');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('nothing new to import');
    expect(web.asked.filter((path) => path.endsWith('.csv'))).toHaveLength(1);
    expect(readFileSync(join(content, 'manifest.json'), 'utf8')).toBe(before);
  });

  test('imports nothing when no one says yes, and goes on from what it fetched', async () => {
    const { web, content, fetch } = await shop();
    const first = await fetch();
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('nothing was imported; --yes imports without asking');
    expect(loadContent(content).imports).toEqual([]);
    expect((await fetch('--yes')).code).toBe(0);
    expect(loadContent(content).imports).toHaveLength(1);
    expect(web.asked.filter((path) => path.endsWith('.csv'))).toHaveLength(1);
  });

  test('takes files from a folder without asking the network, and only those that lie there', async () => {
    const { parent, content } = contentWithFiles([
      { state: 'NE', page: 'http://127.0.0.1:9/', file: 'NER*' },
      {
        state: 'TX',
        page: 'http://127.0.0.1:9/',
        file: 'taxrates.txt',
        address: 'http://127.0.0.1:9/taxrates.txt',
      },
    ]);
    const from = join(parent, 'from');
    mkdirSync(from);
    writeFileSync(join(from, 'NER2026Q3AUG20.csv'), nebraska());
    const taken = await tieout(['content', 'fetch', '--content', content, '--from', from, '--yes', '--json']);
    expect(taken.code).toBe(0);
    expect(JSON.parse(taken.stdout)).toMatchObject({
      written: true,
      files: [{ state: 'NE', address: 'NER2026Q3AUG20.csv' }],
      imports: [{ state: 'NE', written: true }],
    });
    const missing = await tieout(['content', 'fetch', '--content', content, '--from', from, '--state', 'TX']);
    expect(missing.code).toBe(65);
    expect(missing.stdout).toContain('E_FETCH_REFUSED: the folder of --from has no file named taxrates.txt');
    expect(missing.stdout).toContain('Download the file from http://127.0.0.1:9/');
    for (const name of ['NER2027Q1NOV20.csv', 'Rates_26Q4.csv']) writeFileSync(join(from, name), nebraska());
    const rest = await tieout(['content', 'fetch', '--content', content, '--from', from, '--yes']);
    expect(rest.code).toBe(1);
    expect(rest.stdout).toContain('not taken: Rates_26Q4.csv: no official file has this name today');
    expect(rest.stdout).not.toContain('not taken: NER2026Q3AUG20.csv');
  });

  test('imports together or not at all: a refused file leaves the others', async () => {
    const web = await publisher({
      '/Rates/': listing('NER2026Q3AUG20.csv', 'KSR2026Q3MAY20.csv'),
      '/Rates/NER2026Q3AUG20.csv': nebraska(),
      '/Rates/KSR2026Q3MAY20.csv': '20,45,20,0.065\n',
    });
    const { content } = contentWithFiles([
      { state: 'NE', page: `${web.url}/Rates/`, file: 'NER*' },
      { state: 'KS', page: `${web.url}/Rates/`, file: 'KSR*' },
    ]);
    const { code, stdout } = await tieout(['content', 'fetch', '--content', content, '--all', '--yes']);
    expect(code).toBe(65);
    expect(stdout).toContain('E_CONTENT_REFUSED: KSR2026Q3MAY20.csv:1');
    expect(loadContent(content).imports.map(({ state }) => state)).toEqual(['NE']);
  });

  test('imports nothing into a folder that another import has changed in the meantime', async () => {
    const { parent, content } = contentWithFiles([]);
    const file = join(parent, 'NER2026Q3AUG20.csv');
    writeFileSync(file, nebraska());
    const [first, second] = [stageImports(content), stageImports(content)];
    const on = calendarDate('2026-11-23');
    for (const staged of [first, second]) await staged.add(file, { on, rowFloor: 1 });
    first.commit();
    expect(() => second.commit()).toThrow('was changed by another import in the meantime');
    for (const staged of [first, second]) staged.discard();
    expect(loadContent(content).imports).toHaveLength(1);
    expect(readdirSync(parent).sort()).toEqual(['NER2026Q3AUG20.csv', 'content']);
  });

  test('follows a publisher to another address of its own', async () => {
    const { web, content, fetch } = await shop((response) =>
      response.writeHead(301, { location: '/Rates/archive/NE.csv' }).end(),
    );
    web.pages['/Rates/archive/NE.csv'] = nebraska();
    expect((await fetch('--yes')).code).toBe(0);
    expect(omaha(content)).toEqual([200_000]);
  });

  test('begins a download again that was cut off', async () => {
    const { web, content, parent, fetch } = await shop((response) => {
      response.writeHead(200, { 'content-length': 5000 });
      response.write(nebraska());
      setTimeout(() => response.destroy(), 20);
    });
    expect((await fetch('--yes')).code).toBe(69);
    web.pages['/Rates/NER2026Q3AUG20.csv'] = nebraska();
    const { stdout } = await fetch('--yes');
    expect(stdout).toContain('imported; the content is now 2+1');
    expect(omaha(content)).toEqual([200_000]);
    expect(readdirSync(join(parent, 'content-downloads')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('refuses an archive of several files, and imports boundaries when it is asked to', async () => {
    const line = 'Z,20240101,29991231,,,,,,,,,,,,,,,68102,,68102,,,31,31,055,37000';
    const boundaries = `${line}${','.repeat(63)}\n`;
    const web = await publisher({
      '/Rates/': listing('NER2026Q3AUG20.zip', 'NEB2026Q3AUG20.zip'),
      '/Rates/NER2026Q3AUG20.zip': await zipOf({ 'a.csv': nebraska(), 'b.csv': nebraska() }),
      '/Rates/NEB2026Q3AUG20.zip': await zipOf({ 'NEB2026Q3AUG20.csv': boundaries }),
    });
    const page = `${web.url}/Rates/`;
    const { content } = contentWithFiles([
      { state: 'NE', page, file: 'NER*' },
      { state: 'NE', what: 'boundaries', page, file: 'NEB*' },
    ]);
    const { code, stdout } = await tieout([
      ...['content', 'fetch', '--content', content, '--all', '--boundaries', '--yes'],
    ]);
    expect(code).toBe(65);
    expect(stdout).toMatch(/^1\/2 NE rates: .*\n2\/2 NE boundaries: /m);
    expect(stdout).toContain('the archive holds 2 data files instead of one');
    expect(stdout).toContain('NEB2026Q3AUG20.csv: sst-boundary NE 2026Q3, 1 rows');
    const { hit } =
      loadContent(content).boundaries.get('NE')?.find('68102', undefined, '', '2026-10-31') ?? {};
    expect(hit).toMatchObject({ county: '055', place: '37000' });
  });

  test('names what is wrong with the command line', async () => {
    const { content, fetch } = await shop();
    for (const [args, message] of [
      [['content', 'fetch', '--state', 'NE'], '--content names the folder'],
      [['content', 'fetch', '--content', content], 'no state is named'],
      [['content', 'fetch', '--content', content, '--state', 'XX'], '"XX" is not a state'],
      [['content', 'fetch', '--content', content, '--state', 'OR'], 'no official file of OR is known'],
    ] as const) {
      const { code, stderr } = await tieout(args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect((await fetch('--from', join(content, 'nowhere'))).code).toBe(2);
  });
});

describe('a file that cannot be had', () => {
  type Case = readonly [string, Parameters<typeof publisher>[0][string] | undefined, number, RegExp];
  const cases: readonly Case[] = [
    [
      'has moved',
      (response) => response.writeHead(404).end('gone'),
      65,
      /E_FETCH_REFUSED: \S+ answers 404: the file has moved/,
    ],
    [
      'is not given to programs',
      (response) => response.writeHead(403).end(),
      65,
      /answers 403: it is not given out/,
    ],
    [
      'is a page',
      '\n<!DOCTYPE html><html>Not found</html>',
      65,
      /is HTML and not the file NER2026Q3AUG20\.csv/,
    ],
    ['is empty', '', 65, /is empty/],
    [
      'lies on another host',
      (response) => response.writeHead(302, { location: 'http://127.0.0.2:9/NER2026Q3AUG20.csv' }).end(),
      65,
      /leads to another place, http:\/\/127\.0\.0\.2:9: the file has moved/,
    ],
    [
      'leads in a circle',
      (response, { url }) => response.writeHead(301, { location: url }).end(),
      65,
      /without end/,
    ],
    [
      'is out for now',
      (response) => response.writeHead(503).end(),
      69,
      /E_FETCH_UNAVAILABLE: \S+ answers 503/,
    ],
    [
      'is cut off',
      (response) => {
        response.writeHead(200, { 'content-length': 5000 });
        response.write(nebraska());
        setTimeout(() => response.destroy(), 20);
      },
      69,
      /E_FETCH_UNAVAILABLE: \S+ was not received: /,
    ],
  ];
  test.for(cases)('because it %s', async ([, page, exit, message]) => {
    const { web, content, parent, fetch } = await shop(page);
    const { code, stdout } = await fetch('--yes');
    expect(code).toBe(exit);
    expect(stdout).toMatch(message);
    expect(stdout).toContain(`${web.url}/Rates/`);
    expect(loadContent(content).imports).toEqual([]);
    const downloads = join(parent, 'content-downloads');
    expect(existsSync(downloads) ? readdirSync(downloads) : []).toEqual([]);
  });

  const taken = async (address: string, more: object): Promise<TieoutError> => {
    const web = webFiles({ program: 'test', proxy: { https: '', http: '', none: '' }, ...more });
    onTestFinished(() => web.close());
    const { parent } = contentWithFiles([]);
    const error = await web
      .take({ address, page: 'the page' }, join(parent, 'file'))
      .catch((thrown: unknown) => thrown);
    expect(readdirSync(parent)).toEqual(['content']);
    expect(error).toBeInstanceOf(TieoutError);
    return error as TieoutError;
  };

  test('because it is silent, or larger than any rate file, or no one answers', async () => {
    const { url } = await publisher({ '/silent': () => {}, '/large': 'x'.repeat(2000) });
    expect((await taken(`${url}/silent`, { silenceMs: 50 })).message).toContain('was silent for too long');
    expect((await taken(`${url}/large`, { bytesMax: 1000 })).message).toContain('sends more than 1000 bytes');
    expect(await taken('http://127.0.0.1:9/', {})).toMatchObject({
      code: 'E_FETCH_UNAVAILABLE',
      recovery: 'retry',
    });
  });
});

test('the proxy of the network is used, except for the hosts that it is not for', async () => {
  const web = await publisher({ '/file': 'rates' });
  const proxy = await publisher({ [`${web.url}/file`]: 'rates through the proxy' });
  const tunnels: (string | undefined)[] = [];
  proxy.server.on('connect', ({ url }, socket) => {
    tunnels.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const { parent } = contentWithFiles([]);
  const take = async (none: string, address: string): Promise<string> => {
    const files = webFiles({ program: 'test', proxy: { https: proxy.url, http: proxy.url, none } });
    await files.take({ address, page: '' }, join(parent, 'file')).finally(() => files.close());
    return readFileSync(join(parent, 'file'), 'utf8');
  };
  expect(await take('', `${web.url}/file`)).toBe('rates through the proxy');
  expect(await take('127.0.0.1', `${web.url}/file`)).toBe('rates');
  await expect(take('', 'https://rates.example/file')).rejects.toMatchObject({ code: 'E_FETCH_UNAVAILABLE' });
  expect(tunnels).toEqual(['rates.example:443']);
});
