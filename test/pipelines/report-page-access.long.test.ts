import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { testWithChromium } from '../support/chromium.ts';
import { sampleMerchant } from '../support/tieout.ts';

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1200, height: 900 };

describe('the page is for everybody', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-page-'));
  let url = '';

  beforeAll(async () => {
    const merchant = await sampleMerchant(folder);
    await merchant.close();
    url = pathToFileURL(join(merchant.output, 'harbor-and-pine', '2026-10', 'report.html')).href;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // Colours do not depend on the size, nor the layout on the colours.
  for (const [colorScheme, size] of [
    ['light', PHONE],
    ['dark', DESK],
  ] as const)
    testWithChromium(`axe finds nothing in ${colorScheme} at ${size.width} px`, async (open) => {
      const page = await open('about:blank');
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      await page.evaluate(await readFile(AXE, 'utf8'));
      const { passes, violations } = (await page.evaluate('axe.run()')) as AxeResults;
      expect(violations.map(({ id, impact, nodes }) => [id, impact, nodes[0]?.html])).toEqual([]);
      expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast']));
    });

  testWithChromium('on a phone the two lists in front are read without scrolling sideways', async (open) => {
    const page = await open(url);
    await page.setViewportSize(PHONE);
    expect(await page.locator('#pay-list thead').isVisible()).toBe(false);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
    const first = page.locator('#pay-list tbody tr').first();
    expect(await first.getByRole('rowheader').textContent()).toBe('FL Florida DR-15');
    await page.setViewportSize(DESK);
    expect(await page.locator('#pay-list thead').isVisible()).toBe(true);
  });
});
