import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { outcomeOf } from '../crash/outcome.ts';
import { closeHere } from '../support/close-here.ts';
import { onPostgres } from '../support/databases.ts';
import { runOnServer } from '../support/new-database.ts';
import { type ShopOrder, writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const run = promisify(execFile);

/** The commands of docs/backups.md that begin with one of these programs. */
const documented = (...programs: readonly string[]): string => {
  const page = readFileSync(new URL('../../docs/backups.md', import.meta.url), 'utf8');
  const commands = page.match(/^ {4}\w.*/gm) ?? [];
  return commands.filter((line) => programs.includes(line.trim().split(' ')[0] ?? '')).join('\n');
};

const ORDERS: readonly ShopOrder[] = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  price: `${100 + index}.00`,
}));
const RESTORED = ['tieout_workspace', 'tieout_ledger'] as const;

onPostgres(({ newUrl }) => {
  test('databases that pg_dump copied and pg_restore put back close as those they are copies of', async () => {
    const folder = await temporaryFolder();
    const [workspace, ledger] = [await newUrl(), await newUrl()];
    const useDatabases = (workspaceUrl: string, ledgerUrl: string) =>
      writeShop(
        folder,
        ['orders.csv'],
        [],
        `databases: { ledger: "${ledgerUrl}", workspace: "${workspaceUrl}" }\n`,
      );
    const onServer = (name: string): string => Object.assign(new URL(ledger), { pathname: name }).href;
    const restored = RESTORED.map(onServer) as [string, string];
    onTestFinished(() =>
      runOnServer(ledger, ...RESTORED.map((name) => `drop database if exists ${name} with (force)`)),
    );
    const { hostname, port, username, password } = new URL(ledger);
    const shell = (commands: string, [workspaceUrl, ledgerUrl]: readonly [string, string]) =>
      run('sh', ['-e', '-c', commands], {
        cwd: folder,
        env: {
          ...process.env,
          WORKSPACE_URL: workspaceUrl,
          LEDGER_URL: ledgerUrl,
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGPASSWORD: password,
        },
      });

    await useDatabases(workspace, ledger);
    await writeOrders(folder, 'orders.csv', ORDERS);
    await closeHere(folder);
    await shell(documented('pg_dump'), [workspace, ledger]);
    const changed = [{ name: '#1', price: '77.00' }, ...ORDERS.slice(1), { name: '#99' }];
    await writeOrders(folder, 'orders.csv', changed);
    await closeHere(folder);
    const original = await outcomeOf(folder, ledger);

    await shell(documented('createdb', 'pg_restore'), restored);
    await useDatabases(...restored);
    await writeOrders(folder, 'orders.csv', ORDERS);
    expect((await closeHere(folder)).submitted).toMatchObject({ created: 0, updated: 0, unchanged: 12 });
    await writeOrders(folder, 'orders.csv', changed);
    expect((await closeHere(folder)).submitted).toMatchObject({ created: 1, updated: 1, unchanged: 11 });
    const { files, records } = await outcomeOf(folder, restored[1]);
    expect(files).toEqual(original.files);
    expect(records).toEqual(original.records);
  });
});
