import { afterAll, describe } from 'vitest';
import { servedTaxService } from '../contract/served-tax-service.ts';
import { taxServiceBehaviour } from '../contract/tax-service-suite.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

/** Each of a list is a call. */
const LONG_LIST = 1_000;

describe('the served tax service', () => {
  onEveryDatabase((databases) => {
    const suite = serverForSuite(databases);
    const clients: ReturnType<typeof servedTaxService>[] = [];
    afterAll(() => Promise.all(clients.map((client) => client.close())));
    taxServiceBehaviour(async (account = {}) => {
      const { secret } = await suite.newAccount(account);
      const client = servedTaxService({ url: suite.url(), key: secret, apiVersion: account.apiVersion });
      clients.push(client);
      return client;
    }, LONG_LIST);
  });
});
