import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUS_NAMES } from '../../src/contract/refusal.ts';
import { SANTA_MONICA } from '../contract/samples.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { hostileRequest } from './hostile-requests.ts';
import { serverForSuite } from './server-suite.ts';

/** `npm run fuzz:service` asks for many more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 750);
const PATIENCE_MS = 60_000 + RUNS * 50;

describe('hostile requests', () =>
  onEveryDatabase((databases) => {
    const suite = serverForSuite(databases);

    it(
      'of any kind get a proper answer: never a 500, never a stack trace',
      async () => {
        const { secret: key } = await suite.newAccount(SANTA_MONICA);
        await fc.assert(
          fc.asyncProperty(hostileRequest, async ({ method, path, contentType, body: text }) => {
            const answer = await suite.ask(path, {
              method,
              key,
              headers: { 'content-type': contentType },
              ...(text !== undefined && { text }),
            });
            expect(answer.status).not.toBe(500);
            expect(answer.text).not.toMatch(/node_modules|at .+\.ts:\d|SQLITE/);
            if (answer.status < 400 || method === 'HEAD') return;
            expect(answer.json).toEqual({
              status: answer.status,
              error: STATUS_NAMES[answer.status as keyof typeof STATUS_NAMES],
              detail: expect.anything(),
            });
          }),
          { numRuns: RUNS },
        );
        expect((await suite.ask('categories', { key })).status).toBe(200);
      },
      PATIENCE_MS,
    );

    it.each([
      ['nonsense', 'NONSENSE\r\n\r\n'],
      ['a header that is folded', 'GET /v2/categories HTTP/1.1\r\nHost: x\r\nA: b\r\n c: d\r\n\r\n'],
      ['huge headers', `GET /v2/categories HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`],
    ])('that are not HTTP are refused in the form of the interface: %s', async (_, sent) => {
      const { hostname, port } = new URL(suite.url());
      const socket = connectSocket({ host: hostname, port: Number(port) });
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.write(sent);
      await once(socket, 'close');
      const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/);
      expect(JSON.parse(text)).toEqual({
        status: 400,
        error: 'Bad Request',
        detail: 'the request is not valid HTTP',
      });
    });
  }));
