import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandIo } from './cli/io.ts';
import { run } from './cli/run.ts';
import { openWorkspace } from './close/workspace/workspace.ts';
import { connect } from './database/connect.ts';
import { takeRunLock } from './database/run-lock.ts';
import { calendarDate } from './kernel/calendar.ts';
import { systemClock } from './kernel/clock.ts';
import { loadContent } from './service/content/load-content.ts';
import { openLedger } from './service/ledger/ledger.ts';
import { embeddedTaxService } from './service/tax-service.ts';

/** The composition root: the one place that builds things and touches the process. */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const withClose: CommandIo['withClose'] = async (configuration, { output }, work) => {
  const workspaceDatabase = await connect(configuration.resolveUrl(configuration.databases.workspace));
  const ledgerDatabase = await connect(configuration.resolveUrl(configuration.databases.ledger));
  try {
    const lock = await takeRunLock(workspaceDatabase, `process ${process.pid}`);
    try {
      const content = loadContent();
      const ledger = await openLedger(ledgerDatabase, systemClock);
      const account = await ledger.accounts.ensure({
        name: configuration.entity,
        address: configuration.shipFrom,
        nexus: configuration.registrations.map(({ state, since }) => ({
          country: 'US',
          state,
          from: calendarDate(since),
        })),
      });
      return await work({
        configuration,
        workspace: await openWorkspace(workspaceDatabase, configuration.entity),
        service: embeddedTaxService({ ledger, accountId: account.id, content, clock: systemClock }),
        serviceName: 'embedded',
        serviceId: `embedded, ${content.name} ${content.version} of ${content.date}`,
        output: output === undefined ? configuration.resolvePath(configuration.output) : resolve(output),
        program: `Tieout ${version}`,
        clock: systemClock,
      });
    } finally {
      await lock.release();
    }
  } finally {
    await ledgerDatabase.close();
    await workspaceDatabase.close();
  }
};

process.exitCode = await run(process.argv.slice(2), version, {
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  withClose,
});
