import { resolve } from 'node:path';
import type { CloseOptions } from './cli/io.ts';
import type { LoadedConfiguration } from './close/configuration/load-configuration.ts';
import type { ClosePorts } from './close/stages/close-ports.ts';
import { openWorkspace } from './close/workspace/workspace.ts';
import type { TaxService } from './contract/tax-service.ts';
import { connect } from './database/connect.ts';
import { takeRunLock } from './database/run-lock.ts';
import { calendarDate } from './kernel/calendar.ts';
import type { Clock } from './kernel/clock.ts';
import { digestOf, sha256 } from './kernel/digest.ts';
import { TieoutError } from './kernel/errors.ts';

type Options = CloseOptions & {
  readonly configuration: LoadedConfiguration;
  readonly clock: Clock;
  readonly version: string;
  /** Reads the environment, the only place of secrets. */
  readonly variable: (name: string) => string | undefined;
  /** The process id, for whoever finds the lock taken. */
  readonly process: number;
};

/** Build the ports of a close over the embedded service or a remote one, hold the run lock while it works, and put all away again. */
export const buildClose = async <Result>(
  options: Options,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { configuration } = options;
  const workspaceDatabase = await connect(configuration.resolveUrl(configuration.databases.workspace));
  try {
    const lock = await takeRunLock(workspaceDatabase, `process ${options.process}`);
    try {
      const workspace = await openWorkspace(workspaceDatabase, configuration.entity);
      return await withService(options, (service) =>
        work({
          configuration,
          workspace,
          ...service,
          output:
            options.output === undefined
              ? configuration.resolvePath(configuration.output)
              : resolve(options.output),
          program: `Tieout ${options.version}`,
          clock: options.clock,
          recompute: options.recompute,
          maxCalculations: options.maxCalculations ?? configuration.service.maxCalculations,
        }),
      );
    } finally {
      await lock.release();
    }
  } finally {
    await workspaceDatabase.close();
  }
};

type Service = Pick<ClosePorts, 'service' | 'serviceName' | 'serviceId' | 'answersAtRisk' | 'metered'>;

/** The embedded service answers again for nothing, so its answers are kept in large groups. */
const EMBEDDED_AT_RISK = 1_000;

const withService = <Result>(
  options: Options,
  work: (service: Service) => Promise<Result>,
): Promise<Result> =>
  options.configuration.service.url === undefined
    ? withEmbeddedService(options, work)
    : withRemoteService(options, options.configuration.service.url, work);

const withEmbeddedService = async <Result>(
  { configuration, content: folder, clock, version }: Options,
  work: (service: Service) => Promise<Result>,
): Promise<Result> => {
  const { withLedger } = await import('./with-ledger.ts');
  const { loadContent } = await import('./service/content/load-content.ts');
  const { embeddedTaxService } = await import('./service/tax-service.ts');
  return withLedger(configuration.resolveUrl(configuration.databases.ledger), clock, async (ledger) => {
    const content = loadContent(folder);
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
      service: embeddedTaxService({ ledger, accountId: account.id, content, clock }),
      serviceName: 'embedded',
      answersAtRisk: EMBEDDED_AT_RISK,
      serviceId: `embedded in Tieout ${version}, ${content.name} ${content.version} of ${content.date}`,
    });
  });
};

const withRemoteService = async <Result>(
  { configuration, variable }: Options,
  url: string,
  work: (service: Service) => Promise<Result>,
): Promise<Result> => {
  const { keyVariable, concurrency, requestsPerSecond, retries, timeoutSeconds, outageAfter } =
    configuration.service;
  const key = variable(keyVariable);
  if (key === undefined || key === '') throw missingKey(keyVariable, url);
  const { remoteTaxService } = await import('./client/remote-tax-service.ts');
  const remote = remoteTaxService({
    url,
    key,
    connections: concurrency,
    timeoutMs: timeoutSeconds * 1000,
    callsPerSecond: requestsPerSecond,
    retry: { retries },
    outage: { failuresMax: outageAfter },
  });
  try {
    return await work({
      service: remote.service,
      serviceName: url,
      answersAtRisk: concurrency,
      metered: remote.metered,
      serviceId: await remoteId(url, key, remote.service),
    });
  } finally {
    await remote.close();
  }
};

/**
 * What the answers of a remote service depend on, as far as it can be asked for nothing: the address, the account and
 * its nexus. When one of them changes, kept calculations are not used any more.
 */
const remoteId = async (url: string, key: string, service: TaxService): Promise<string> => {
  const regions = (await service.nexusRegions()).map(
    ({ country_code, region_code }) => `${country_code}-${region_code}`,
  );
  return `${url} #${digestOf({ account: sha256(key), regions }).slice(0, 8)}`;
};

const missingKey = (variable: string, url: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_KEY',
    recovery: 'fix-config',
    message: `the key of ${url} belongs into the environment variable ${variable}, which is empty`,
    nextStep: 'Set it where the command runs; keys are never read from the configuration',
  });
