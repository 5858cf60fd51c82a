import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { onPostgres } from '../support/databases.ts';
import { month } from '../support/month.ts';
import { runOnServer } from '../support/new-database.ts';
import { recordsIn } from '../support/records-in.ts';
import type { Order } from '../support/shop-exports.ts';

const run = promisify(execFile);

/** The commands of docs/cron.md that begin with one of these programs. */
const documented = (...programs: readonly string[]): string => {
  const page = readFileSync(new URL('../../docs/cron.md', import.meta.url), 'utf8');
  const commands = page.match(/^ {4}\w.*/gm) ?? [];
  return commands.filter((line) => programs.includes(line.trim().split(' ')[0] ?? '')).join('\n');
};

const ORDERS: readonly Order[] = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  price: `${100 + index}.00`,
}));
const RESTORED = 'tieout_ledger';

onPostgres(({ newUrl }) => {
  test('a database that pg_dump copied and pg_restore put back closes as the one it is a copy of', async () => {
    const shop = await month({ orders: ORDERS });
    const { folder } = shop;
    const ledger = await newUrl();
    const useLedger = (url: string) => shop.change({ settings: { databases: { ledger: url } } });
    const restored = Object.assign(new URL(ledger), { pathname: RESTORED }).href;
    onTestFinished(() => runOnServer(ledger, `drop database if exists ${RESTORED} with (force)`));
    const { hostname, port, username, password } = new URL(ledger);
    const shell = (commands: string, url: string) =>
      run('sh', ['-e', '-c', commands], {
        cwd: folder,
        env: {
          ...process.env,
          LEDGER_URL: url,
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGPASSWORD: password,
        },
      });

    await useLedger(ledger);
    await shop.close();
    await shell(documented('pg_dump'), ledger);
    const changed = [{ name: '#1', price: '77.00' }, ...ORDERS.slice(1), { name: '#99' }];
    await shop.change({ orders: changed });
    await shop.close();
    const original = { files: await shop.published(), records: await recordsIn(ledger) };

    await shell(documented('createdb', 'pg_restore'), restored);
    await useLedger(restored);
    await shop.change({ orders: ORDERS });
    expect((await shop.close()).submissions).toMatchObject({ created: 0, updated: 0, unchanged: 12 });
    await shop.change({ orders: changed });
    expect((await shop.close()).submissions).toMatchObject({ created: 1, updated: 1, unchanged: 11 });
    expect({ files: await shop.published(), records: await recordsIn(restored) }).toEqual(original);
  });
});
