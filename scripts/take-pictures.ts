import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { recordedTerminal } from './record-terminal.ts';

/**
 * The pictures of README.md, taken again from a close of the sample month: sheets as LibreOffice prints them, and the
 * page as a browser shows it; and a recording of the close on a terminal. Wants `script`, `soffice`, `pdftotext`, `pdftoppm` and `chromium` on the search path.
 */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PICTURES = join(ROOT, 'docs/pictures');
const DOTS_PER_INCH = 100;

type Part = { readonly width: number; readonly height: number };

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-pictures-'));
  try {
    await mkdir(PICTURES, { recursive: true });
    const shop = join(folder, 'shop');
    await cp(join(ROOT, 'samples/harbor-and-pine'), shop, {
      recursive: true,
      filter: (path) => !path.endsWith('.tieout'),
    });
    const close = `cd ${shop} && node ${join(ROOT, 'dist/tieout.js')} close 2026-10 --output ${folder}`;
    const recording = await recordedTerminal('tieout close 2026-10', close);
    await writeFile(join(PICTURES, 'close.svg'), recording.replaceAll(folder, 'output'));
    const written = join(folder, 'harbor-and-pine/2026-10');
    const variance = await printed(join(written, 'variance.xlsx'), folder);
    const filing = await printed(join(written, 'filing-summary.xlsx'), folder);
    await takeSheet(variance, 'By state', 'by-state', { width: 1060, height: 310 });
    await takeSheet(filing, 'MA ST-9', 'return', { width: 1060, height: 420 });
    await takePage(join(written, 'report.html'), 'report', { width: 1100, height: 760 });
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** A workbook as PDF. */
const printed = async (workbook: string, folder: string): Promise<string> => {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, workbook]);
  return join(folder, workbook.replace(/.*\//, '').replace('.xlsx', '.pdf'));
};

/** The upper left part of the first page of a sheet; the footer of each page names its sheet. */
const takeSheet = async (pdf: string, sheet: string, name: string, part: Part): Promise<void> => {
  const { stdout } = await run('pdftotext', ['-layout', pdf, '-']);
  const page = stdout.split('\f').findIndex((text) => new RegExp(` ${sheet} +Page \\d+ of`).test(text)) + 1;
  if (page === 0) throw new Error(`${pdf} has no sheet ${sheet}`);
  const at = [
    '-f',
    `${page}`,
    '-l',
    `${page}`,
    '-x',
    '30',
    '-y',
    '30',
    '-W',
    `${part.width}`,
    '-H',
    `${part.height}`,
  ];
  await run('pdftoppm', ['-png', '-singlefile', '-r', `${DOTS_PER_INCH}`, ...at, pdf, join(PICTURES, name)]);
};

const takePage = async (file: string, name: string, viewport: Part): Promise<void> => {
  // The sandbox of the browser needs rights that containers do not give; the page is one of our own.
  const { stdout } = await run('which', ['chromium']);
  const browser = await chromium.launch({ executablePath: stdout.trim(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport });
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  } finally {
    await browser.close();
  }
};

await main();
