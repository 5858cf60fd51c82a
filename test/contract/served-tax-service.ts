import { remoteTaxService } from '../../src/client/remote-tax-service.ts';
import { RefusalBody, ServiceRefusal } from '../../src/contract/refusal.ts';
import type { LocationRate } from '../../src/contract/tax-service.ts';
import { parseRate } from '../../src/kernel/money.ts';
import { ROUTES } from '../../src/service/routes.ts';
import { send } from './send.ts';
import type { SuiteService } from './wire-calls.ts';
import { type Ask, wireCalls } from './wire-calls.ts';

type Served = {
  readonly url: string;
  readonly key: string;
  readonly apiVersion?: string | undefined;
};

/** A service over HTTP through the product's own client, and by itself what that client has no use for. */
export const servedTaxService = (served: Served): SuiteService & { readonly close: () => Promise<void> } => {
  const { service, close } = remoteTaxService({
    url: served.url,
    key: served.key,
    ...(served.apiVersion !== undefined && { apiVersion: served.apiVersion }),
    connections: 64,
    timeoutMs: 20_000,
    retry: { retries: 0, firstPauseMs: 1, pauseMaxMs: 1 },
  });
  return {
    ...service,
    ...wireCalls((operation, given) => asked(served, operation, given)),
    close,
    showRates: async (zip, query = {}) => readRates(await asked(served, 'showRates', { id: zip, query })),
  };
};

/** Read the rates of a place: each is a text. */
const readRates = (body: unknown): LocationRate => {
  const { rate } = body as { readonly rate: Readonly<Record<string, unknown>> };
  const fields = Object.entries(rate).map(([name, value]) => [
    name,
    name.endsWith('_rate') ? parseRate(value as string) : value,
  ]);
  return Object.fromEntries(fields) as LocationRate;
};

/** Ask for an operation exactly as it is given. */
const asked = async (
  { url, key, apiVersion }: Served,
  operation: string,
  { id = '', query = {}, body }: Parameters<Ask>[1],
): Promise<unknown> => {
  const { method, path } = ROUTES.find((each) => each.id === operation) as (typeof ROUTES)[number];
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const place = path.slice(1).replace(':id', encodeURIComponent(id));
  const answer = await send(`${url}${place}?${new URLSearchParams(given)}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(apiVersion !== undefined && { 'x-api-version': apiVersion }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  if (answer.status < 300) return JSON.parse(answer.text);
  const { detail, error } = RefusalBody.parse(JSON.parse(answer.text));
  throw new ServiceRefusal(answer.status, detail, error);
};
