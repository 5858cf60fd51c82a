import { describe, expect, it } from 'vitest';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { rawConnection, serverForSuite } from './server-suite.ts';

/** What two readers of the same bytes might take for different requests must be no request at all. */
describe('requests inside requests', () => {
  const suite = serverForSuite(sqliteFiles());

  const answersTo = async (sent: string): Promise<string> => {
    const { socket, answer } = rawConnection(suite.url());
    // Node gives no answer to a client that has closed its half of the connection, so the server is left to end it.
    socket.write(sent);
    return answer;
  };

  const smuggled = (key: string): string => {
    const body = JSON.stringify({ ...ORDER, transaction_id: 'smuggled' });
    return `POST /v2/transactions/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  const HEAD = 'POST /v2/taxes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it.each<[string, (inner: string) => string]>([
    [
      'a length beside chunks',
      (inner) => `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ],
    ['two lengths', (inner) => `${HEAD}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
    ['a length that is not a number', (inner) => `${HEAD}Content-Length: +0\r\n\r\n${inner}`],
    ['chunks under another name', (inner) => `${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    ['chunks that are not last', (inner) => `${HEAD}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n${inner}`],
    ['a blank before the colon', (inner) => `${HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`],
    [
      'a size of a chunk with more behind it',
      (inner) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n0x\r\n\r\n${inner}`,
    ],
    [
      'line feeds alone',
      (inner) => `${HEAD.replaceAll('\r\n', '\n')}Transfer-Encoding: chunked\n\n0\n\n${inner}`,
    ],
  ])('%s: one refusal, and nothing of what stands behind is done', async (_, wrapped) => {
    const { secret } = await suite.newAccount(SANTA_MONICA);
    const answers = await answersTo(wrapped(smuggled(secret)));
    expect(answers).toMatch(/^HTTP\/1\.1 400 /);
    expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    const { status } = await suite.ask('transactions/orders/smuggled', { key: secret });
    expect(status).toBe(404);
  });

  it('the same order that is sent by itself is recorded', async () => {
    const { secret } = await suite.newAccount(SANTA_MONICA);
    expect(await answersTo(smuggled(secret))).toMatch(/^HTTP\/1\.1 201 /);
  });

  it.each([
    ['headers of more than sixteen kilobytes', `A: ${'x'.repeat(17_000)}\r\n`],
    [
      'a thousand headers',
      Array.from({ length: 1000 }, (_, index) => `A${index}: ${'x'.repeat(20)}\r\n`).join(''),
    ],
  ])('%s are refused', async (_, headers) => {
    expect(await answersTo(`GET /v2/health HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });
});
