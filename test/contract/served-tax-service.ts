import type * as z from 'zod';
import { remoteTaxService } from '../../src/client/remote-tax-service.ts';
import { LocationRateBody } from '../../src/contract/location-rate.ts';
import type { RateLookups } from '../../src/contract/rate-lookups.ts';
import { RefusalBody, ServiceRefusal } from '../../src/contract/refusal.ts';
import { SummaryRatesBody } from '../../src/contract/summary-rate.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { send } from './send.ts';

type Served = { readonly url: string; readonly key: string; readonly apiVersion?: string | undefined };

/** A service over HTTP through the product's own client, and look-ups, which that client has no use for. */
export const servedTaxService = (
  served: Served,
): TaxService & RateLookups & { readonly close: () => Promise<void> } => {
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
    close,
    showRates: async (zip, query = {}) => {
      const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
      const path = `rates/${encodeURIComponent(zip)}?${new URLSearchParams(given)}`;
      return (await got(LocationRateBody, served, path)).rate;
    },
    summaryRates: async () => (await got(SummaryRatesBody, served, 'summary_rates')).summary_rates,
  };
};

const got = async <Schema extends z.ZodType>(
  schema: Schema,
  { url, key }: Served,
  path: string,
): Promise<z.output<Schema>> => {
  const { status, text } = await send(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  if (status === 200) return schema.parse(JSON.parse(text));
  const { detail, error } = RefusalBody.parse(JSON.parse(text));
  throw new ServiceRefusal(status, detail, error);
};
