import { remoteTaxService } from '../../src/client/remote-tax-service.ts';
import { LocationRateBody } from '../../src/contract/location-rate.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';
import { RefusalBody, ServiceRefusal } from '../../src/contract/refusal.ts';
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
    showRates: async (zip, query = {}) =>
      LocationRateBody.parse(await asked(served, 'showRates', { id: zip, query })).rate,
  };
};

/** Ask for an operation exactly as it is given. */
const asked = async (
  { url, key, apiVersion }: Served,
  operation: string,
  { id = '', query = {}, body }: Parameters<Ask>[1],
): Promise<unknown> => {
  const { method, path } = OPERATIONS.find((each) => each.id === operation) as Operation;
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const place = path.slice(1).replace(/\{\w+\}/, encodeURIComponent(id));
  const answer = await send(`${url}${place}?${new URLSearchParams(given)}`, {
    method: method.toUpperCase(),
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
