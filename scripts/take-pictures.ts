import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { recordedTerminal } from './record-terminal.ts';

/**
 * The pictures of README.md, taken again from a close of the sample month: sheets as LibreOffice prints them, and the
 * page as a browser shows it; and a recording of the close on a terminal. Wants `script`, `soffice`, `pdftotext`, `pdftoppm` and `chromium` on the search path.
 */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PICTURES = join(ROOT, 'docs/pictures');
const DOTS_PER_INCH = 140;
const QUALITY = 0.6;

type Part = { readonly width: number; readonly height: number };

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tieout-pictures-'));
  // The sandbox of the browser needs rights that containers do not give; the page is one of our own.
  const { stdout } = await run('which', ['chromium']);
  const browser = await chromium.launch({ executablePath: stdout.trim(), args: ['--no-sandbox'] });
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
    const page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
    await page.goto(pathToFileURL(join(written, 'report.html')).href);
    await keep(page, 'report', await page.screenshot());
    await keep(page, 'by-state', await pictureOf(variance, 'By state', { width: 1160, height: 560 }));
    await keep(page, 'return', await pictureOf(filing, 'MA ST-9', { width: 1170, height: 565 }));
  } finally {
    await browser.close();
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
const pictureOf = async (pdf: string, sheet: string, part: Part): Promise<Buffer> => {
  const { stdout } = await run('pdftotext', ['-layout', pdf, '-']);
  const page = stdout.split('\f').findIndex((text) => new RegExp(` ${sheet} +Page \\d+ of`).test(text)) + 1;
  if (page === 0) throw new Error(`${pdf} has no sheet ${sheet}`);
  const place = { f: page, l: page, x: 35, y: 28, W: part.width, H: part.height, r: DOTS_PER_INCH };
  const at = Object.entries(place).flatMap(([option, value]) => [`-${option}`, `${value}`]);
  const picture = pdf.replace('.pdf', '');
  await run('pdftoppm', ['-png', '-singlefile', ...at, pdf, picture]);
  return readFile(`${picture}.png`);
};

/** Drawn again in the browser as WebP, a third as large: the pictures are part of the archive that is installed. */
const keep = async (page: Page, name: string, png: Buffer): Promise<void> => {
  const webp = await page.evaluate(
    `(async () => {
      const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d').drawImage(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${QUALITY} });
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    })()`,
  );
  await writeFile(join(PICTURES, `${name}.webp`), Buffer.from(String(webp), 'base64'));
};

await main();
