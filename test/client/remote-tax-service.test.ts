import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { remoteTaxService } from '../../src/client/remote-tax-service.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { TieoutError } from '../../src/kernel/errors.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const CATEGORIES = json(200, {
  categories: [{ product_tax_code: '20010', name: 'Clothing', description: '' }],
});
const refusal = (status: number, detail: string) => json(status, { status, error: 'Some Error', detail });
const reset: Answer = (request) => void request.socket.destroy();
const silent: Answer = () => {};

/** A real server that gives these answers one after the other, the last one for ever. */
const answering = async (...answers: readonly Answer[]) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    request.resume();
    answer?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const remote = remoteTaxService({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`,
    key: 'secret',
    connections: 4,
    timeoutMs: 300,
    retry: { retries: 3, firstPauseMs: 1, pauseMaxMs: 50 },
  });
  onTestFinished(remote.close);
  return { remote, requests };
};

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceRefusal) return `${error.code} ${error.status}`;
  return error instanceof TieoutError ? `${error.code} ${error.recovery}` : String(error);
};

describe('a remote tax service', () => {
  test('is asked with the key, below its base address', async () => {
    const { remote, requests } = await answering(CATEGORIES);
    expect(await remote.service.categories()).toHaveLength(1);
    expect([requests[0]?.url, requests[0]?.headers.authorization]).toEqual([
      '/v2/categories',
      'Bearer secret',
    ]);
  });

  test('ends the run when it names another tax content than at first', async () => {
    const named = (content: string): Answer => json(200, { categories: [] }, { 'tieout-content': content });
    const { remote, requests } = await answering(named('A'), named('A'), named('B'));
    await remote.service.categories();
    await remote.service.categories();
    expect(await codeOf(remote.service.categories())).toBe('E_SERVICE_CHANGED retry');
    expect([requests.length, remote.contentName()]).toEqual([3, 'A']);
  });

  test.for([
    ['429, after as long as it asks', json(429, {}, { 'retry-after': '0' })],
    ['500', json(500, {})],
    ['503 that is not even JSON', ((_, response) => void response.writeHead(503).end('<html>')) as Answer],
    ['504', json(504, {})],
    ['a reset connection', reset],
    ['no answer at all', silent],
  ] as const)('%s is tried again', async ([, failure]) => {
    const { remote, requests } = await answering(failure, failure, CATEGORIES);
    expect(await remote.service.categories()).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  test.for([
    [400, 'E_SERVICE_REFUSED 400'],
    [404, 'E_SERVICE_REFUSED 404'],
    [406, 'E_SERVICE_REFUSED 406'],
    [422, 'E_SERVICE_REFUSED 422'],
    [401, 'E_SERVICE_KEY fix-config'],
    [403, 'E_SERVICE_FORBIDDEN fix-config'],
  ] as const)('a %i is an answer, and is not tried again', async ([status, code]) => {
    const { remote, requests } = await answering(refusal(status, 'no'));
    expect(await codeOf(remote.service.update('order', '1001', {}))).toBe(code);
    expect(requests).toHaveLength(1);
  });

  test('an outage that lasts ends resumably, after the last try', async () => {
    const { remote, requests } = await answering(json(503, {}));
    expect(await codeOf(remote.service.categories())).toBe('E_SERVICE_UNAVAILABLE retry');
    expect(requests).toHaveLength(4);
  });

  test.for([
    ['a page of another site', ((_, response) => void response.writeHead(200).end('<html>')) as Answer],
    ['another shape', json(200, { categories: 'none' })],
    ['a refusal without its body', json(404, {})],
  ] as const)('%s is said to be not of the interface', async ([, answer]) => {
    const { remote } = await answering(answer);
    expect(await codeOf(remote.service.categories())).toBe('E_SERVICE_ANSWER retry');
  });
});
