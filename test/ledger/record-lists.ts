import { loadContent } from '../../src/content/load-content.ts';
import { accept } from '../../src/contract/accept.ts';
import { CreateOrder } from '../../src/contract/transaction.ts';
import { connect } from '../../src/database/connect.ts';
import { systemClock } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { embeddedTaxService } from '../../src/service/tax-service.ts';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';

/** `node record-lists.ts DATABASE LENGTH`: records list after list, and prints the number of each that is answered. */
const [address = '', length = ''] = process.argv.slice(2);
const ledger = await openLedger(await connect(address));
const { id: accountId } = await ledger.accounts.ensure({ name: 'killed', ...SANTA_MONICA });
const service = embeddedTaxService({ ledger, accountId, content: loadContent(), clock: systemClock });
const order = accept(CreateOrder, ORDER);
for (let number = 0; ; number += 1) {
  const ids = Array.from({ length: Number(length) }, (_, index) => `${number}-${index}`);
  await service.createMany(
    ids.map((transaction_id) => ({ kind: 'order', transaction: { ...order, transaction_id } })),
  );
  process.stdout.write(`${number}\n`);
}
