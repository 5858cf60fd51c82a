import { resolve } from 'node:path';
import { Configuration } from '../../src/close/configuration/schema.ts';
import type { ClosePorts } from '../../src/close/stages/close-ports.ts';
import { openWorkspace } from '../../src/close/workspace/workspace.ts';
import { connect } from '../../src/database/connect.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import type { TaxContent } from '../../src/service/content/tax-content.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { type EmbeddedTaxService, embeddedTaxService } from '../../src/service/tax-service.ts';

/** A close over databases in memory and the embedded service, for as long as the work takes. */
export const closeInMemory = async <Result>(
  { folder, content, settings }: { folder: string; content: TaxContent; settings: object },
  work: (ports: ClosePorts, service: EmbeddedTaxService) => Promise<Result>,
): Promise<Result> => {
  const configuration = {
    ...Configuration.parse(settings),
    file: resolve(folder, 'tieout.yaml'),
    resolvePath: (path: string) => resolve(folder, path),
    resolveUrl: (url: string) => url,
  };
  const clock = fixedClock(instant(Date.UTC(2026, 10, 2)));
  const databases = [await connect('sqlite::memory:'), await connect('sqlite::memory:')] as const;
  try {
    const [workspaceDatabase, ledgerDatabase] = databases;
    const ledger = await openLedger(ledgerDatabase, clock);
    const account = await ledger.accounts.ensure({
      name: configuration.entity,
      address: configuration.shipFrom,
      nexus: configuration.registrations.map(({ state, since }) => ({
        country: 'US',
        state,
        from: calendarDate(since),
      })),
    });
    const service = embeddedTaxService({ ledger, accountId: account.id, content, clock });
    const ports: ClosePorts = {
      configuration,
      workspace: await openWorkspace(workspaceDatabase, configuration.entity),
      service,
      serviceName: 'embedded',
      serviceId: 'embedded',
      callsAtOnce: 500,
      answersAtRisk: 1000,
      output: folder,
      program: 'Tieout',
      programDigest: 'test',
      clock,
      recompute: false,
    };
    return await work(ports, service);
  } finally {
    for (const database of databases) await database.close();
  }
};
