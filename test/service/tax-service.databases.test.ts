import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { connect, type Database } from '../../src/database/connect.ts';
import { fixedClock, instant } from '../../src/kernel/calendar.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { embeddedTaxService } from '../../src/service/tax-service.ts';
import { dollars, REFUND, refusalOf, SANTA_MONICA } from '../contract/samples.ts';
import { taxServiceBehaviour } from '../contract/tax-service-suite.ts';
import { type SuiteAccount, withWireCalls } from '../contract/wire-calls.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { addAccount } from './server-suite.ts';

const clock = fixedClock(instant(Date.parse('2026-11-02T12:00:00Z')));
const content = loadContent();

describe('the embedded tax service', () => {
  onEveryDatabase(({ newUrl }) => {
    let database: Database;
    let ledger: Ledger;
    let accounts = 0;
    beforeAll(async () => {
      database = await connect(await newUrl());
      ledger = await openLedger(database, clock);
    });
    afterAll(() => database.close());

    const newService = async (account: SuiteAccount = {}) => {
      accounts += 1;
      const accountId = await addAccount(ledger, `account ${accounts}`, account);
      const options = { ledger, accountId, content, clock, apiVersion: account.apiVersion };
      return withWireCalls(embeddedTaxService(options));
    };

    taxServiceBehaviour(newService, 10_000);

    it('changes and deletes refunds by the rules of orders', async () => {
      const service = await newService(SANTA_MONICA);
      await service.createRefund(REFUND);
      const changed = await service.update('refund', 'refund-1', {
        sales_tax: dollars('1'),
        transaction_reference_id: 'order-2',
      });
      expect(changed).toMatchObject({
        sales_tax: dollars('-1'),
        amount: dollars('-110'),
        transaction_reference_id: 'order-2',
      });
      expect(await service.showRefund('refund-1')).toEqual(changed);
      expect(
        await refusalOf(service.update('refund', 'refund-1', { transaction_reference_id: 'refund-1' })),
      ).toMatchObject({ status: 422 });
      expect(await service.remove('refund', 'refund-1')).toEqual({
        transaction_id: 'refund-1',
        user_id: changed.user_id,
        provider: 'api',
      });
      expect(await refusalOf(service.showRefund('refund-1'))).toMatchObject({ status: 404 });
      expect(await refusalOf(service.update('refund', 'refund-1', {}))).toMatchObject({ status: 404 });
      expect(await refusalOf(service.remove('refund', 'refund-1'))).toMatchObject({ status: 404 });
    });

    it('cannot serve an account that is not there', async () => {
      const service = embeddedTaxService({ ledger, accountId: 999_999, content, clock });
      await expect(service.nexusRegions()).rejects.toMatchObject({ code: 'E_DEFECT' });
    });
  });
});
