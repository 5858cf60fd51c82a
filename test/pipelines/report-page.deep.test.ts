import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { testWithChromium } from '../support/chromium.ts';
import { sampleMerchant } from '../support/tieout.ts';

describe('the page of the sample month', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-page-'));
  let pack = '';

  beforeAll(async () => {
    const merchant = await sampleMerchant(folder);
    await merchant.close();
    pack = join(merchant.output, 'harbor-and-pine', '2026-10');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const url = () => pathToFileURL(join(pack, 'report.html')).href;

  testWithChromium('opens without a complaint and asks for nothing', async (open) => {
    const page = await open('about:blank');
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(url());
    expect(complaints).toEqual([]);
    expect(requests).toEqual([url()]);
    expect(await page.locator('figure').count()).toBe(3);
  });

  testWithChromium('names what is overdue on the day on which it is read', async (open) => {
    const page = await open('about:blank');
    const overdueOn = async (day: string) => {
      await page.clock.setFixedTime(`${day}T20:00:00Z`);
      await page.goto(url());
      const line = page.locator('#overdue');
      return (await line.isVisible()) ? ((await line.textContent()) ?? '') : '';
    };
    expect(await overdueOn('2026-11-19')).toBe('');
    expect(await overdueOn('2026-11-20')).toMatch(
      /^Overdue on 2026-11-20 unless filed and paid: FL DR-15\. /,
    );
    expect(await overdueOn('2026-11-25')).toMatch(/: FL DR-15, CO DR 0100, .*\. /);
  });

  testWithChromium('prints on few pages, with few words on what to do for each return', async (open) => {
    const page = await open(url());
    const printed = await page.pdf({ preferCSSPageSize: true });
    expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(12);
    const todos = await page.locator('#pay-list .todo').allTextContents();
    expect(todos.length).toBeGreaterThan(10);
    expect(
      todos.filter((text) => text.replace(/…?(Enter on|With|Draft:).*/, '').split(' ').length > 16),
    ).toEqual([]);
  });

  testWithChromium('a tile leads to the row of its state', async (open) => {
    const page = await open(url());
    await page.locator('.map a', { hasText: 'CA' }).first().click();
    expect(page.url()).toContain('#state-CA');
    const links = await page.locator('.map a').evaluateAll((all) => all.map((link) => link.hash.slice(1)));
    for (const id of links) expect([id, await page.locator(`[id="${id}"]`).count()]).toEqual([id, 1]);
  });
});
