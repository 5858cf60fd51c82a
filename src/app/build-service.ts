import { contentFolder, type LoadedConfiguration } from '../configuration/load-configuration.ts';
import { contentDigest, contentName, loadContent } from '../content/load-content.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { isGone } from '../contract/refusal.ts';
import type { ContentCoverage, TaxService } from '../contract/tax-service.ts';
import { type Database, withDatabase } from '../database/connect.ts';
import { withRunLock as withLockOn } from '../database/run-lock.ts';
import { normaliseAddress } from '../engine/order.ts';
import { type Clock, calendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { digestOf, sha256 } from '../kernel/json.ts';
import { compareText } from '../kernel/text.ts';
import type { Account } from '../ledger/account.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { type ClosePorts, EMBEDDED } from '../periods/close-ports.ts';
import { makeFolder } from '../runtime/publish-folder.ts';
import { embeddedTaxService } from '../service/tax-service.ts';
import { programDigest } from './program.ts';

export type BuiltService = Pick<
  ClosePorts,
  'service' | 'secondOpinion' | 'serviceName' | 'serviceId' | 'nexusMissing' | 'callsAtOnce' | 'sync'
> & {
  /** The tax content that a remote service reports; `undefined` if it does not report one. */
  readonly servedContent?: string | undefined;
};

/** Requests of the same process cost nothing to wait for. */
const EMBEDDED_AT_ONCE = 500;

/** What a service is built from. */
export type ServiceOptions = {
  readonly configuration: LoadedConfiguration;
  /** The folder of the embedded service's tax content, instead of the configuration's. */
  readonly content?: string | undefined;
  readonly clock: Clock;
  readonly version: string;
  /** Reads an environment variable; secrets are stored nowhere else. */
  readonly variable: (name: string) => string | undefined;
  /** Called before every request; an error it throws ends the request. */
  readonly mayCall?: () => void;
  /** Aborted when the process is asked to stop. */
  readonly ending?: AbortSignal;
  /** Called when a remote service delays the run. */
  readonly onWait?: ((text: string) => void) | undefined;
};

/** Builds the embedded service or the remote one of a configuration, runs work with it, and closes it. */
export const withService = <Result>(
  options: ServiceOptions,
  work: (service: BuiltService) => Promise<Result>,
): Promise<Result> => {
  const { url } = options.configuration.service;
  return url === undefined ? withEmbeddedService(options, work) : withRemoteService(options, url, work);
};

const withEmbeddedService = async <Result>(
  { configuration, content: named, clock, version, mayCall }: ServiceOptions,
  work: (service: BuiltService) => Promise<Result>,
): Promise<Result> => {
  const { databases, resolveUrl } = configuration;
  const records = async (database: Database): Promise<Result> => {
    const ledger = await openLedger(database);
    const folder = contentFolder(configuration, named);
    const content = loadContent(folder);
    const account = await ensureAccount(ledger, configuration);
    const service = embeddedTaxService({ ledger, accountId: account.id, content, clock });
    return work({
      service: mayCall ? guardedService(service, mayCall) : service,
      serviceName: 'embedded',
      callsAtOnce: EMBEDDED_AT_ONCE,
      serviceId: embeddedId(version, content, contentDigest(folder)),
      sync: database.sync,
    });
  };
  return withDatabase(resolveUrl(databases.ledger), records, { syncsLater: true });
};

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** Wrap a service so that `mayCall` runs before every call and may throw. Reading `coverage` is not a call. */
const guardedService = ({ coverage, ...calls }: TaxService, mayCall: () => void): TaxService => ({
  ...(Object.fromEntries(
    Object.entries(calls as unknown as Readonly<Record<string, Call>>).map(([name, call]) => [
      name,
      async (...given: readonly unknown[]) => {
        mayCall();
        return call(...given);
      },
    ]),
  ) as unknown as TaxService),
  ...(coverage && { coverage }),
});

/**
 * Returns the account of the seller, brought to what the configuration states. An account of this name may be served to
 * others as well: its plan, its version of the interface and its nexus abroad, of which a configuration says nothing, stay.
 */
const ensureAccount = async (
  { accounts }: Ledger,
  configuration: LoadedConfiguration,
): Promise<Pick<Account, 'id'>> => {
  const { address, buyerUse = null, nexus } = sellerOf(configuration);
  const known = await accounts.findByName(configuration.entity);
  const abroad = (known?.nexus ?? []).filter((entry) => normaliseAddress(entry).country !== 'US');
  return accounts.ensure({ name: configuration.entity, address, buyerUse, nexus: [...nexus, ...abroad] });
};

/** Returns the seller as configured. */
const sellerOf = ({ shipFrom, registrations, buyerUse }: LoadedConfiguration) => ({
  address: shipFrom,
  buyerUse,
  nexus: registrations.map(({ state, since, oneRate }) => ({
    country: 'US',
    state,
    from: calendarDate(since),
    ...(oneRate && { oneRate }),
  })),
});

/**
 * Returns the ID on which cached answers of the embedded service depend. A version number is not enough: correcting a
 * rate in a content folder, or updating the program, changes the digest after it, so that cached calculations become
 * stale.
 */
const embeddedId = (version: string, content: TaxContent, contentDigest: string): string => {
  const { name, version: edition, date } = content;
  const fingerprint = digestOf({ program: programDigest(), content: contentDigest }).slice(0, 8);
  return `${EMBEDDED}${version}, ${name} ${edition} of ${date} #${fingerprint}`;
};

const withRemoteService = async <Result>(
  { configuration, content: named, clock, variable, mayCall, ending, onWait }: ServiceOptions,
  url: string,
  work: (service: BuiltService) => Promise<Result>,
): Promise<Result> => {
  const { keyVariable, concurrency, requestsPerSecond, retries, timeoutSeconds } = configuration.service;
  const key = variable(keyVariable);
  refusePlaintext(url, configuration.service.insecure);
  if (key === undefined || !/^[\x21-\x7e]+$/.test(key)) throw keyError(url, keyVariable, key ?? '');
  const { remoteTaxService } = await import('../client/remote-tax-service.ts');
  const { ownEngine } = await import('../service/tax-service.ts');
  const folder = contentFolder(configuration, named);
  const content = loadContent(folder);
  const remote = remoteTaxService({
    url,
    key,
    connections: concurrency,
    timeoutMs: timeoutSeconds * 1000,
    callsPerSecond: requestsPerSecond,
    retry: { retries, ending, onWait },
    ...(mayCall && { mayCall }),
  });
  try {
    const regions = await regionsOf(url, remote.service);
    const served = remote.contentName();
    const own = contentName(content, folder);
    const engine = ownEngine(content, sellerOf(configuration), clock);
    const coverage = served === own ? engine.coverage : coverageOfOther(engine.coverage);
    return await work({
      service: served === undefined ? remote.service : { ...remote.service, coverage },
      secondOpinion: { ...engine, content: own },
      serviceName: url,
      callsAtOnce: concurrency,
      servedContent: served,
      serviceId: `${url} #${digestOf({ account: sha256(key), regions, content: served ?? null }).slice(0, 8)}`,
      nexusMissing: configuration.registrations
        .map(({ state }) => state)
        .filter((state) => !regions.includes(`US-${state}`)),
    });
  } finally {
    await remote.close();
  }
};

/**
 * Returns the nexus regions of the account. Together with the address and the account, they are what the answers of a
 * remote service depend on, as far as free requests can show: if one changes, cached calculations become stale. The days
 * of the account's nexus and its customers' exemptions cannot be seen; after a change of them, a person removes `.tieout/answers.db`.
 */
const regionsOf = async (url: string, service: TaxService): Promise<readonly string[]> => {
  const regions = await service.nexusRegions().catch((error: unknown) => {
    throw isGone(error) ? addressError(url) : error;
  });
  // A service may list them in any order. Sorted, they give one id.
  const names = regions.map(({ country_code, region_code }) => `${country_code}-${region_code}`);
  return [...new Set(names)].sort(compareText);
};

/**
 * Returns the coverage of a remote Tieout whose content differs from this program's: it is known where local rates are
 * missing, but not from which day the law of a place is in force.
 */
const coverageOfOther = (own: ContentCoverage): ContentCoverage => ({ ...own, lawSince: ({ day }) => day });

const addressError = (url: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_ADDRESS',
    message: `${url} answers, but not as the base address of a tax service: 404 Not Found for ${url}/nexus/regions`,
    nextStep:
      'Correct the address, service.url in the configuration: it ends with the version segment, such as https://tax.example.com/v2',
  });

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Refuses to send the key and customers' addresses unencrypted, unless the configuration allows it. */
const refusePlaintext = (url: string, insecure: boolean): void => {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || insecure || LOOPBACK.test(hostname)) return;
  throw new TieoutError({
    code: 'E_SERVICE_PLAINTEXT',
    message: `${url} would be sent the key and customers’ addresses in the clear`,
    nextStep: 'Write https:// there, or say service.insecure: true where the network itself is safe',
  });
};

const keyError = (url: string, variable: string, key: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_KEY',
    message: `the key of ${url} belongs into the environment variable ${variable}, which ${key === '' ? 'is empty' : 'holds blanks, ends of lines or other signs that no key has'}`,
    nextStep: 'Set it where the command runs; keys are never read from the configuration',
  });

/** Opens the service's database at an address, runs work with it, and closes it. */
export const withLedger = <Result>(url: string, work: (ledger: Ledger) => Promise<Result>): Promise<Result> =>
  withDatabase(url, async (database) => work(await openLedger(database)));

/**
 * Runs work while this process holds the run lock of a configuration, which lies in the folder of its state.
 *
 * @throws {TieoutError} E_RUN_LOCKED
 */
export const withRunLock = <Result>(
  { resolvePath }: LoadedConfiguration,
  work: (state: string) => Promise<Result>,
): Promise<Result> => {
  const state = resolvePath('.tieout');
  makeFolder(state, 0o700);
  return withLockOn({ place: `${state}/run` }, () => work(state));
};
