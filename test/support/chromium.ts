import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { type TestContext, test } from 'vitest';

const TIMEOUT_MS = 60_000;
const MISSING = 'Chromium is not installed: the Debian package chromium has it';

const findChromium = (searchPath: string): string | undefined =>
  searchPath
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/**
 * A test that needs a real browser. Without one it is skipped and says why; where TIEOUT_REQUIRE_CHROMIUM is 1, as in
 * CI, it fails.
 */
export const testWithChromium = (
  name: string,
  body: (open: (url: string) => Promise<Page>) => Promise<void>,
): void => {
  test(name, { timeout: TIMEOUT_MS }, async (context: TestContext) => {
    const path = findChromium(process.env['PATH'] ?? '');
    if (path === undefined) {
      if (process.env['TIEOUT_REQUIRE_CHROMIUM'] === '1') throw new Error(MISSING);
      context.skip(MISSING);
      return;
    }
    // The sandbox of the browser needs rights that containers do not give; the page is one of our own.
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
    try {
      await body(async (url) => {
        const page = await browser.newPage();
        await page.goto(url);
        return page;
      });
    } finally {
      await browser.close();
    }
  });
};
