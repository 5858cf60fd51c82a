import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A call on its way to a service. */
type Call = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  /** Has the service do its work. */
  readonly forwarded: () => Promise<Answer>;
};
type Answer = {
  readonly status: number;
  readonly said: string;
  readonly content: string | null;
};

const JSON_BODY = { 'content-type': 'application/json' };

/** Delivers an answer, or what was made of it. */
export const deliver = ({ response }: Call, { status, content }: Answer, said: string, then = () => {}) =>
  response
    .writeHead(status, { ...JSON_BODY, ...(content !== null && { 'tieout-content': content }) })
    .end(said, then);

/** A real server in front of a real service. */
export const serviceInFront = async (behind: string, meet: (call: Call) => unknown) => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const forwarded = async (): Promise<Answer> => {
      const reply = await fetch(new URL(request.url ?? '/', behind), {
        method: request.method ?? 'GET',
        headers: { authorization: request.headers.authorization ?? '', ...JSON_BODY },
        ...(body !== '' && { body }),
      });
      const content = reply.headers.get('tieout-content');
      return { status: reply.status, said: await reply.text(), content };
    };
    await Promise.resolve(meet({ request, response, body, forwarded })).catch(() => request.socket.destroy());
  });
  const listen = (port: number): Promise<unknown> => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}/v2/`, server, listen: () => listen(port) };
};

type Harm = (response: ServerResponse, said: string) => unknown;
const refusal =
  (status: number, headers: object = {}, body = '{}'): Harm =>
  (response) =>
    response.writeHead(status, { ...JSON_BODY, ...headers }).end(body);

/** What may happen to a call before it reaches the service. */
const BEFORE = {
  'asks for patience': refusal(429, { 'retry-after': '0' }),
  'answers 500': refusal(500),
  'answers 503': refusal(503),
  'wants to be left alone for an hour': refusal(429, { 'retry-after': '3600' }),
  'does not know the key any more': refusal(
    401,
    {},
    '{"status":401,"error":"Unauthorized","detail":"Not authorized"}',
  ),
  'refuses connections': ({ socket }) => socket?.destroy(),
  'resets connections': ({ socket }) => socket?.resetAndDestroy(),
} satisfies Readonly<Record<string, Harm>>;

/** The same, after the service has done its work. */
const AFTER = {
  'says nothing': () => {},
  'loses its answers': ({ socket }) => socket?.destroy(),
  'breaks off its answers': (response, said) => {
    response.writeHead(200, { ...JSON_BODY, 'content-length': Buffer.byteLength(said) });
    response.write(said.slice(0, said.length / 2), () => response.socket?.destroy());
  },
  'is hidden by the page of a proxy': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Back soon</html>'),
} satisfies Readonly<Record<string, Harm>>;

export type Fault = keyof typeof BEFORE | keyof typeof AFTER;

const harm = async (call: Call, fault: Fault): Promise<unknown> =>
  fault in BEFORE
    ? BEFORE[fault as keyof typeof BEFORE](call.response, '')
    : AFTER[fault as keyof typeof AFTER](call.response, (await call.forwarded()).said);

/** A service that is out, in one way, from the nth call of a kind until it is repaired. */
export const failingService = async (
  behind: string,
  {
    outage,
    method,
    path,
    nth,
  }: {
    outage: Fault;
    method: string;
    path: string;
    nth: number;
  },
) => {
  let calls = 0;
  let state: 'whole' | 'out' | 'repaired' = 'whole';
  const { url, server, listen } = await serviceInFront(behind, async (call) => {
    if (call.request.method === method && call.request.url?.startsWith(`/v2/${path}`)) calls += 1;
    if (calls === nth && state === 'whole') {
      state = 'out';
      if (outage === 'refuses connections') server.close();
    }
    if (state === 'out') return harm(call, outage);
    const answer = await call.forwarded();
    return deliver(call, answer, answer.said);
  });
  return {
    url,
    repair: async () => {
      state = 'repaired';
      server.closeAllConnections();
      if (!server.listening) await listen();
    },
  };
};

/** A calculation on the wire. */
export type AlteredTax = Readonly<Record<string, unknown>> & {
  readonly amount_to_collect: number;
  readonly taxable_amount: number;
};

const DRAWN: readonly Fault[] = [
  ...(['asks for patience', 'answers 500', 'answers 503', 'resets connections'] as const),
  ...(['says nothing', 'loses its answers'] as const),
];

/**
 * A service of which a share of the calls is harmed, the same ones by their number for the same seed, or whose
 * calculations are altered before they are delivered.
 */
export const faultyService = async (
  behind: string,
  options: {
    readonly seed: number;
    readonly share: number;
    /** Changes the calculation of a number. */
    readonly alter?: (tax: AlteredTax, number: number) => AlteredTax;
  },
) => {
  const told = { calls: 0, starts: 0, calculated: 0 };
  const faults = new Set<Fault>();
  const delivered = new Map<string, number>();
  const waiting: {
    readonly calls: number;
    readonly resolve: () => void;
  }[] = [];
  let { share } = options;
  const faultOf = (number: number): Fault | undefined => {
    const draw = createHash('sha256').update(`${options.seed} ${number}`).digest();
    return draw.readUInt32LE(0) / 2 ** 32 < share ? DRAWN[draw.readUInt32LE(4) % DRAWN.length] : undefined;
  };
  const { url } = await serviceInFront(behind, async (call) => {
    told.calls += 1;
    if (call.request.url?.startsWith('/v2/nexus/')) told.starts += 1;
    for (const { calls, resolve } of waiting) if (told.calls >= calls) resolve();
    const isCalculation = call.request.url === '/v2/taxes';
    const fault = faultOf(told.calls);
    if (fault !== undefined) {
      faults.add(fault);
      if (isCalculation && fault in AFTER) told.calculated += 1;
      return harm(call, fault);
    }
    const answer = await call.forwarded();
    if (!isCalculation) return deliver(call, answer, answer.said);
    told.calculated += 1;
    const { alter = (same) => same } = options;
    const number = told.calculated;
    const altered = (): string => JSON.stringify({ tax: alter(JSON.parse(answer.said).tax, number) });
    return deliver(call, answer, answer.status === 200 ? altered() : answer.said, () => {
      const digest = createHash('sha256').update(call.body).digest('hex');
      delivered.set(digest, (delivered.get(digest) ?? 0) + 1);
    });
  });
  return {
    url,
    /** Calls that reached it. */
    calls: () => told.calls,
    /** Those among them with which a process begins: it asks for the account's nexus. */
    starts: () => told.starts,
    /** Calculations that the service behind it made, whether or not anybody heard of it. */
    calculated: () => told.calculated,
    /** The kinds of faults so far. */
    faults,
    /** How often the answer to each calculation was delivered, by the digest of its request. */
    delivered,
    /** Resolves when so many calls have reached it. */
    reached: (calls: number) => new Promise<void>((resolve) => waiting.push({ calls, resolve })),
    /** Let every call through from now on. */
    repair: () => {
      share = 0;
    },
  };
};
