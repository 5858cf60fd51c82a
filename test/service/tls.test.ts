import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { connect, type Database } from '../../src/database/connect.ts';
import { systemClock } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { type ServerOptions, startTaxServer, type TaxServer } from '../../src/service/tax-server.ts';

const pem = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
const tls = { certificate: pem('localhost.crt'), key: pem('localhost.key') };

describe('the line to the server', () => {
  let database: Database;
  let server: TaxServer;
  const start = async (options: Partial<ServerOptions>) =>
    startTaxServer({
      ledger: await openLedger(database),
      content: loadContent(),
      clock: systemClock,
      host: '127.0.0.1',
      port: 0,
      ...options,
    });
  beforeAll(async () => {
    database = await connect('sqlite::memory:');
    server = await start({ tls });
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });

  /** The version that was agreed on, or why none was. */
  const handshake = (version: SecureVersion): Promise<string> =>
    new Promise((resolve) => {
      const socket = connectTls({
        host: '127.0.0.1',
        port: Number(new URL(server.url).port),
        ca: tls.certificate,
        minVersion: version,
        maxVersion: version,
        // OpenSSL refuses versions before 1.2 by itself unless its level is lowered; the server must refuse, not it.
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol() ?? 'none');
        socket.destroy();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'refused'));
    });

  it('ends when no handshake comes, and keeps the server from stopping no longer', async () => {
    const impatient = await start({ tls, deadlineMs: 300 });
    const silent = dial({ host: '127.0.0.1', port: Number(new URL(impatient.url).port) });
    silent.resume();
    const closed = once(silent, 'close');
    await once(silent, 'connect');
    await impatient.stop();
    await closed;
    expect(silent.destroyed).toBe(true);
  });

  it('is encrypted when there is a certificate', () => expect(server.url).toMatch(/^https:/));

  it.each<[SecureVersion, string]>([
    ['TLSv1.3', 'TLSv1.3'],
    ['TLSv1.2', 'TLSv1.2'],
    ['TLSv1.1', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
    ['TLSv1', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  ])('speaks %s: %s', async (version, outcome) => expect(await handshake(version)).toBe(outcome));

  it.each(['0.0.0.0', '192.0.2.1', '::'])('is not plain on %s', async (host) => {
    await expect(start({ host })).rejects.toMatchObject({ code: 'E_SERVE_PLAINTEXT', recovery: 'usage' });
  });

  it('is plain elsewhere when that is asked for', async () => {
    const plain = await start({ host: '0.0.0.0', insecure: true });
    expect(plain.url).toMatch(/^http:/);
    await plain.stop();
  });

  it('cannot use a port that is taken', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    await expect(start({ port })).rejects.toMatchObject({
      code: 'E_SERVE_ADDRESS',
      recovery: 'usage',
      message: expect.stringContaining(`port ${port}`),
    });
    other.close();
  });
});
