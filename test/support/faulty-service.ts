import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** What may happen to a call on its way. */
export type Fault = '429' | '500' | '503' | 'reset' | 'silence' | 'answer lost';
const FAULTS: readonly Fault[] = ['429', '500', '503', 'reset', 'silence', 'answer lost'];

export type FaultyService = {
  readonly url: string;
  /** Calls that reached it, and what happened to them. */
  readonly calls: () => number;
  /** Those among them with which a process begins: it asks for the account's nexus. */
  readonly starts: () => number;
  readonly faults: () => Readonly<Partial<Record<Fault, number>>>;
  /** How often the answer to each calculation was delivered, by the digest of its request. */
  readonly delivered: () => ReadonlyMap<string, number>;
  /** Calculations that the service behind it made, whether or not anybody heard of it. */
  readonly calculated: () => number;
  /** Resolves when so many calls have reached it. */
  readonly reached: (calls: number) => Promise<void>;
  /** Let every call through from now on. */
  readonly repair: () => void;
};

/** A calculation on the wire. */
export type AlteredTax = Readonly<Record<string, unknown>> & {
  readonly amount_to_collect: number;
  readonly taxable_amount: number;
};

type Tally = {
  calls: number;
  starts: number;
  calculated: number;
  readonly faults: Partial<Record<Fault, number>>;
  readonly delivered: Map<string, number>;
};

/**
 * A real server in front of a real service, which harms a share of the calls: refusals that ask for patience, failures,
 * reset connections, no answer at all, and answers that are lost after the service has done its work. The same seed
 * harms the same calls by their number.
 */
export const faultyService = async (
  behind: string,
  options: {
    readonly seed: number;
    readonly share: number;
    /** Changes the calculation of a number before it is delivered. */
    readonly alter?: (tax: AlteredTax, number: number) => AlteredTax;
  },
): Promise<FaultyService> => {
  const tally: Tally = { calls: 0, starts: 0, calculated: 0, faults: {}, delivered: new Map() };
  const waiting: { readonly calls: number; readonly resolve: () => void }[] = [];
  let { share } = options;
  const faultOf = (number: number): Fault | undefined => {
    const draw = createHash('sha256').update(`${options.seed} ${number}`).digest();
    return draw.readUInt32LE(0) / 2 ** 32 < share ? FAULTS[draw.readUInt32LE(4) % FAULTS.length] : undefined;
  };
  const server = createServer((request, response) => {
    tally.calls += 1;
    if (request.url?.startsWith('/v2/nexus/')) tally.starts += 1;
    for (const { calls, resolve } of waiting) if (tally.calls >= calls) resolve();
    const fault = faultOf(tally.calls);
    if (fault !== undefined) tally.faults[fault] = (tally.faults[fault] ?? 0) + 1;
    answer(behind, { request, response, fault, tally, alter: options.alter }).catch(() =>
      request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`,
    calls: () => tally.calls,
    starts: () => tally.starts,
    faults: () => tally.faults,
    delivered: () => tally.delivered,
    calculated: () => tally.calculated,
    reached: (calls) => new Promise((resolve) => waiting.push({ calls, resolve })),
    repair: () => {
      share = 0;
    },
  };
};

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly fault: Fault | undefined;
  readonly tally: Tally;
  readonly alter: ((tax: AlteredTax, number: number) => AlteredTax) | undefined;
};

const answer = async (
  behind: string,
  { request, response, fault, tally, alter }: Exchange,
): Promise<void> => {
  const body = await text(request);
  if (fault === 'reset') return void request.socket.destroy();
  if (fault === '429' || fault === '500' || fault === '503') {
    const patience = fault === '429' ? { 'retry-after': '0' } : {};
    response.writeHead(Number(fault), { 'content-type': 'application/json', ...patience }).end('{}');
    return;
  }
  const isCalculation = request.url === '/v2/taxes';
  const reply = await fetch(new URL(request.url ?? '/', behind), {
    method: request.method ?? 'GET',
    headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
    ...(body !== '' && { body }),
  });
  if (isCalculation) tally.calculated += 1;
  const number = tally.calculated;
  const plain = await reply.text();
  const said = isCalculation && alter && reply.ok ? altered(plain, (tax) => alter(tax, number)) : plain;
  if (fault === 'answer lost') return void request.socket.destroy();
  if (fault === 'silence') return;
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(said, () => {
    if (!isCalculation) return;
    const digest = createHash('sha256').update(body).digest('hex');
    tally.delivered.set(digest, (tally.delivered.get(digest) ?? 0) + 1);
  });
};

const altered = (body: string, alter: (tax: AlteredTax) => AlteredTax): string =>
  JSON.stringify({ tax: alter((JSON.parse(body) as { tax: AlteredTax }).tax) });
