import { resolve } from 'node:path';
import type { CommandIo } from './cli/io.ts';
import type { LoadedConfiguration } from './close/configuration/load-configuration.ts';
import type { ClosePorts } from './close/stages/close-ports.ts';
import { openWorkspace } from './close/workspace/workspace.ts';
import { connect } from './database/connect.ts';
import { takeRunLock } from './database/run-lock.ts';
import { calendarDate } from './kernel/calendar.ts';
import { embeddedTaxService } from './service/tax-service.ts';

type Options = {
  readonly configuration: LoadedConfiguration;
  readonly output: string | undefined;
  readonly content: string | undefined;
  readonly io: CommandIo;
  readonly version: string;
  /** The process id, for whoever finds the lock taken. */
  readonly process: number;
};

/** Build the ports of a close over the embedded service, hold the run lock while it works, and put all away again. */
export const buildClose = async <Result>(
  options: Options,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { configuration, io } = options;
  const workspaceDatabase = await connect(configuration.resolveUrl(configuration.databases.workspace));
  try {
    const lock = await takeRunLock(workspaceDatabase, `process ${options.process}`);
    try {
      return await io.withLedger(configuration.resolveUrl(configuration.databases.ledger), async (ledger) => {
        const content = await io.loadContent(options.content);
        const account = await ledger.accounts.ensure({
          name: configuration.entity,
          address: configuration.shipFrom,
          nexus: configuration.registrations.map(({ state, since }) => ({
            country: 'US',
            state,
            from: calendarDate(since),
          })),
        });
        return work({
          configuration,
          workspace: await openWorkspace(workspaceDatabase, configuration.entity),
          service: embeddedTaxService({ ledger, accountId: account.id, content, clock: io.clock }),
          serviceName: 'embedded',
          serviceId: `embedded, ${content.name} ${content.version} of ${content.date}`,
          output:
            options.output === undefined
              ? configuration.resolvePath(configuration.output)
              : resolve(options.output),
          program: `Tieout ${options.version}`,
          clock: io.clock,
        });
      });
    } finally {
      await lock.release();
    }
  } finally {
    await workspaceDatabase.close();
  }
};
