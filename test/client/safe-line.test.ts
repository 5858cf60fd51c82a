import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import tls, { createServer, type SecureVersion } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { poolTransport } from '../../src/client/http-tax-service.ts';
import { month } from '../support/month.ts';

// The client's floor must be its own: Node's default may be lowered for the whole process, and OpenSSL's too.
tls.DEFAULT_MIN_VERSION = 'TLSv1';
tls.DEFAULT_CIPHERS = 'DEFAULT@SECLEVEL=0';

const pem = (name: string) => readFileSync(new URL(`../service/fixtures/${name}`, import.meta.url), 'utf8');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
const listening = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const asked = async (url: string) => {
  const { send, close } = poolTransport({ url, key: 'the-key', connections: 1, timeoutMs: 2_000 });
  try {
    return await send({ method: 'GET', path: 'categories' });
  } finally {
    await close();
  }
};

describe('the line to a remote service', () => {
  /** A server that speaks these versions of TLS only, however old, and the failure that the client sees. */
  const failureWith = async (version: SecureVersion): Promise<string> => {
    const server = createServer({
      cert: pem('localhost.crt'),
      key: pem('localhost.key'),
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const port = await listening(server);
    const failure = await asked(`https://127.0.0.1:${port}/v2/`).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'NoAnswerError' });
    return (failure as Error).message;
  };

  test.for<[SecureVersion, RegExp]>([
    ['TLSv1.1', /unsupported protocol|protocol version/],
    ['TLSv1.2', /self-signed certificate/],
    ['TLSv1.3', /self-signed certificate/],
  ])('is not spoken in %s, and never without a certificate that is known: %s', async ([version, failure]) => {
    expect(await failureWith(version)).toMatch(failure);
  });

  test('leads nowhere else: a redirection is not followed, and takes no key along', async () => {
    const seen: (string | undefined)[] = [];
    const other = createPlainServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const otherPort = await listening(other);
    const first = createPlainServer((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${otherPort}/v2/categories` }).end(),
    );
    const reply = await asked(`http://127.0.0.1:${await listening(first)}/v2/`);
    expect([reply.status, seen]).toEqual([302, []]);
  });

  /** The error of a close over a service. */
  const errorOver = async (url: string, insecure: boolean, key = 'the-key') => {
    const service = { url, retries: 0, timeoutSeconds: 1, insecure };
    const shop = await month({ orders: [{ name: '#1' }], settings: { service } });
    const how = { env: { TIEOUT_SERVICE_KEY: key } };
    const { code, stdout } = await shop.runWith(how, 'close', '2026-10', '--json');
    expect(code).not.toBe(0);
    return (JSON.parse(stdout) as { error: { code: string; message: string } }).error;
  };

  test.for([
    ['http://tax.example.com/v2/', false, 'E_SERVICE_PLAINTEXT'],
    ['http://192.0.2.1/v2/', false, 'E_SERVICE_PLAINTEXT'],
    ['http://localhost.example.com/v2/', false, 'E_SERVICE_PLAINTEXT'],
    ['http://127.0.0.1:1/v2/', false, 'E_SERVICE_UNAVAILABLE'],
    ['http://[::1]:1/v2/', false, 'E_SERVICE_UNAVAILABLE'],
    ['http://0.0.0.0:1/v2/', true, 'E_SERVICE_UNAVAILABLE'],
  ] as const)(
    'is not plain beyond this machine unless somebody says so: %s %j %s',
    async ([url, insecure, code]) => {
      expect(await errorOver(url, insecure)).toMatchObject({ code });
    },
  );
});
