import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/contract/openapi.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { documentPage } from '../../../src/service/http/document-page.ts';
import { sqliteFiles } from '../../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

describe('the page of the interface', () => {
  const suite = serverForSuite(sqliteFiles());

  it('is served without a key, and may fetch nothing', async () => {
    const { status, headers, text } = await suite.page('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|<link|<img|@import|url\(|https?:/);
  });

  it('describes every operation and object once, and every link on it leads somewhere', async () => {
    const { text } = await suite.page('/docs');
    const anchors = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors).toEqual(expect.arrayContaining(OPERATIONS.map(({ id }) => id)));
    const document = openApiDocument() as { components: { schemas: object } };
    expect(anchors).toEqual(expect.arrayContaining(Object.keys(document.components.schemas)));
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(100);
    for (const link of links) expect(anchors).toContain(link);
    expect(text).not.toContain('anything');
  });

  it('shows what is written in the document as text, whatever it is', () => {
    const hostile = '<script>alert("x")</script>&\'';
    const page = documentPage({
      info: { title: hostile, description: hostile },
      paths: {
        [hostile]: { [hostile]: { operationId: hostile, summary: hostile, parameters: [{ name: hostile }] } },
      },
      components: { schemas: { [hostile]: { properties: { [hostile]: { enum: [hostile] } } } } },
    });
    expect(page).not.toContain('<script');
    expect(page).not.toContain('alert("x")');
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;');
  });
});
