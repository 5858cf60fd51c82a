import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { outcomeOf } from '../crash/outcome.ts';
import { closeHere } from '../support/close-here.ts';
import { onPostgres } from '../support/databases.ts';
import { runOnServer } from '../support/new-database.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import type { Order } from '../support/shop-exports.ts';
import { temporaryFolder } from '../support/tieout.ts';

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
    const folder = await temporaryFolder();
    const ledger = await newUrl();
    const useLedger = (url: string) =>
      writeShop(folder, ['orders.csv'], [], `databases: { ledger: "${url}" }\n`);
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
    await writeOrders(folder, 'orders.csv', ORDERS);
    await closeHere(folder);
    await shell(documented('pg_dump'), ledger);
    const changed = [{ name: '#1', price: '77.00' }, ...ORDERS.slice(1), { name: '#99' }];
    await writeOrders(folder, 'orders.csv', changed);
    await closeHere(folder);
    const original = await outcomeOf(folder, ledger);

    await shell(documented('createdb', 'pg_restore'), restored);
    await useLedger(restored);
    await writeOrders(folder, 'orders.csv', ORDERS);
    expect((await closeHere(folder)).submitted).toMatchObject({ created: 0, updated: 0, unchanged: 12 });
    await writeOrders(folder, 'orders.csv', changed);
    expect((await closeHere(folder)).submitted).toMatchObject({ created: 1, updated: 1, unchanged: 11 });
    const { files, records } = await outcomeOf(folder, restored);
    expect(files).toEqual(original.files);
    expect(records).toEqual(original.records);
  });
});
