import { describe, expect, it } from 'vitest';
import { SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

describe('who asks', () => {
  const suite = serverForSuite(sqliteFiles());

  describe('a key is accepted', () => {
    it.each([
      [(key: string) => `Bearer ${key}`],
      [(key: string) => `Token token="${key}"`],
      [(key: string) => `bearer ${key}`],
      [(key: string) => `Token token=${key}`],
    ])('as %s', async (header) => {
      const { secret } = await suite.newAccount(SANTA_MONICA);
      const { status, json } = await suite.ask('categories', { headers: { authorization: header(secret) } });
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(['categories']);
    });
  });

  describe('without a good key nothing is answered', () => {
    it.each<[Record<string, string>, string]>([
      [{}, 'no header'],
      [{ authorization: 'Bearer' }, 'no key'],
      [{ authorization: 'Bearer nonsense' }, 'an unknown key'],
      [{ authorization: 'Basic dXNlcjpwYXNz' }, 'another scheme'],
      [{ authorization: `Bearer ${'x'.repeat(4_000)}` }, 'a very long key'],
    ])('%j: %s', async (headers) => {
      const answer = await suite.ask('categories?page=1', { headers });
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({
        status: 401,
        error: 'Unauthorized',
        detail: "Not authorized for route 'GET /v2/categories'",
      });
    });

    it('not even whether a body is well formed', async () => {
      const answer = await suite.ask('taxes', {
        method: 'POST',
        text: '{',
        headers: { 'content-type': 'text/x' },
      });
      expect(answer.status).toBe(401);
    });
  });
});
