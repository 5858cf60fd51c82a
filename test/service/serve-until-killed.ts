import { loadContent } from '../../src/content/load-content.ts';
import { connect } from '../../src/database/connect.ts';
import { systemClock } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { startTaxServer } from '../../src/service/tax-server.ts';

/** A server in a process of its own: serves the ledger at the address it is given and says where. */
const [url = ''] = process.argv.slice(2);
const ledger = await openLedger(await connect(url));
const { id } = await ledger.accounts.ensure({
  name: 'seller',
  address: { country: 'US', state: 'CA', zip: '90404' },
  nexus: [],
});
const { secret } = await ledger.keys.create(id);
const server = await startTaxServer({
  ledger,
  content: loadContent(),
  clock: systemClock,
  host: '127.0.0.1',
  port: 0,
});
process.stdout.write(`${JSON.stringify({ url: server.url, key: secret, accountId: id })}\n`);
