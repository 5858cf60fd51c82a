import { describe, expect, it } from 'vitest';
import { sqliteFiles } from '../support/databases.ts';
import { rawConnection, serverForSuite } from './server-suite.ts';

const DEADLINE_MS = 600;
describe('a request that does not arrive in time', () => {
  const suite = serverForSuite(sqliteFiles(), { deadlineMs: DEADLINE_MS });

  it.each([
    ['nothing at all', '', ''],
    ['a head, a line at a time', 'POST /v2/taxes HTTP/1.1\r\nHost: x\r\n', 'A: b\r\n'],
    ['a body, a byte at a time', 'POST /v2/taxes HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n{', ' '],
  ])('ends with its connection: %s', async (_, start, drop) => {
    const { socket, answer } = rawConnection(suite.url());
    socket.write(start);
    const drip = setInterval(() => socket.write(drop), 50);
    const answered = await answer;
    clearInterval(drip);
    // Who sends no key is refused as soon as the head is there.
    expect(answered).toMatch(/^HTTP\/1\.1 (?:408|401) /);
  });

  it('says so in the form of the interface', async () => {
    const { secret } = await suite.newAccount({});
    const { socket, answer } = rawConnection(suite.url());
    socket.write(
      `POST /v2/taxes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 9000\r\n\r\n{`,
    );
    const [head = '', body = ''] = (await answer).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    expect(JSON.parse(body)).toEqual({
      status: 408,
      error: 'Request Timeout',
      detail: 'the request did not arrive in time',
    });
  });
});
