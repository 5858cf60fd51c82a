import { contentFolder } from '../close/configuration/content-folder.ts';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { type ClosePorts, EMBEDDED } from '../close/stages/run/close-ports.ts';
import type { ContentCoverage } from '../contract/content-coverage.ts';
import { isGone } from '../contract/refusal.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { calendarDate } from '../kernel/calendar.ts';
import type { Clock } from '../kernel/clock.ts';
import { digestOf, sha256 } from '../kernel/digest.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { TaxContent } from '../service/content/tax-content.ts';
import { programDigest } from './program-digest.ts';

export type BuiltService = Pick<
  ClosePorts,
  | 'service'
  | 'secondOpinion'
  | 'serviceName'
  | 'serviceId'
  | 'nexusMissing'
  | 'callsAtOnce'
  | 'answersAtRisk'
  | 'metered'
> & {
  /** Which tax content a remote service says that it calculates by; `undefined` if it names none. */
  readonly servedContent?: string | undefined;
};

/** The embedded service answers again for nothing, so its answers are kept in large groups. */
const EMBEDDED_AT_RISK = 1_000;
/** What is under way at once is committed together, and each commit waits for the disk. */
const EMBEDDED_AT_ONCE = 500;

/** Which service answers, instead of the one that the configuration names. */
export type ServiceChoice = {
  /** The address of a remote service; the embedded one when absent. */
  readonly url: string | undefined;
  /** The database of the embedded service's books. */
  readonly ledger: string;
};

type Options = ServiceChoice & {
  readonly configuration: LoadedConfiguration;
  /** The folder of the embedded service's tax content, instead of the configuration's. */
  readonly content: string | undefined;
  readonly clock: Clock;
  readonly version: string;
  /** Reads the environment, the only place of secrets. */
  readonly variable: (name: string) => string | undefined;
  /** Asked before every call; what it throws ends the call. */
  readonly mayCall?: () => void;
  /** Whether the process was asked to end. */
  readonly isEnding: () => boolean;
  /** Told when a remote service keeps the run waiting. */
  readonly onWait?: ((text: string) => void) | undefined;
};

/** The service that a configuration names. */
export const ownService = ({ service, databases, resolveUrl }: LoadedConfiguration): ServiceChoice => ({
  url: service.url,
  ledger: resolveUrl(databases.ledger),
});

/** Build the embedded service or a remote one, work with it, and put it away again. */
export const withService = <Result>(
  options: Options,
  work: (service: BuiltService) => Promise<Result>,
): Promise<Result> =>
  options.url === undefined
    ? withEmbeddedService(options, work)
    : withRemoteService(options, options.url, work);

const withEmbeddedService = async <Result>(
  { configuration, ledger: books, content: named, clock, version, mayCall }: Options,
  work: (service: BuiltService) => Promise<Result>,
): Promise<Result> => {
  const { withLedger } = await import('./with-ledger.ts');
  const { loadContent } = await import('../service/content/load-content.ts');
  const { contentDigest } = await import('./content-name.ts');
  const { guardedService } = await import('../client/guarded-service.ts');
  const { embeddedTaxService } = await import('../service/tax-service.ts');
  return withLedger(books, clock, async (ledger) => {
    const folder = contentFolder(configuration, named);
    const content = loadContent(folder);
    const account = await ledger.accounts.ensure({
      name: configuration.entity,
      ...sellerOf(configuration),
    });
    const service = embeddedTaxService({ ledger, accountId: account.id, content, clock });
    return work({
      service: mayCall ? guardedService(service, mayCall) : service,
      serviceName: 'embedded',
      callsAtOnce: EMBEDDED_AT_ONCE,
      answersAtRisk: EMBEDDED_AT_RISK,
      serviceId: embeddedId(version, content, contentDigest(folder)),
    });
  });
};

/** The seller as the configuration has it. */
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
 * What the answers of the embedded service depend on. Versions are for people: a rate that somebody mends in a content
 * folder, or a program that is fetched again, changes the digest behind them, and kept calculations are not used any more.
 */
const embeddedId = (version: string, content: TaxContent, contentDigest: string): string => {
  const { name, version: edition, date } = content;
  const fingerprint = digestOf({ program: programDigest(), content: contentDigest }).slice(0, 8);
  return `${EMBEDDED}${version}, ${name} ${edition} of ${date} #${fingerprint}`;
};

const withRemoteService = async <Result>(
  { configuration, content: named, clock, variable, mayCall, isEnding, onWait }: Options,
  url: string,
  work: (service: BuiltService) => Promise<Result>,
): Promise<Result> => {
  const { keyVariable, concurrency, requestsPerSecond, retries, timeoutSeconds, outageAfter } =
    configuration.service;
  const key = variable(keyVariable);
  refusePlaintext(url, configuration.service.insecure);
  if (key === undefined || key === '') throw keyError(url, `${keyVariable}, which is empty`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw keyError(url, `${keyVariable}, which holds blanks, ends of lines or other signs that no key has`);
  const { remoteTaxService } = await import('../client/remote-tax-service.ts');
  const { loadContent } = await import('../service/content/load-content.ts');
  const { secondOpinion } = await import('../service/second-opinion.ts');
  const { contentName } = await import('./content-name.ts');
  const folder = contentFolder(configuration, named);
  const content = loadContent(folder);
  const remote = remoteTaxService({
    url,
    key,
    connections: concurrency,
    timeoutMs: timeoutSeconds * 1000,
    callsPerSecond: requestsPerSecond,
    retry: { retries },
    outage: { failuresMax: outageAfter },
    ...(mayCall && { mayCall }),
    ...(onWait && { onWait }),
    isEnding,
  });
  try {
    const regions = await regionsOf(url, remote.service);
    const served = remote.contentName();
    const own = contentName(content, folder);
    const opinion = secondOpinion(content, sellerOf(configuration), clock);
    const coverage = served === own ? opinion.coverage : coverageOfOther(opinion.coverage);
    return await work({
      service: served === undefined ? remote.service : { ...remote.service, coverage },
      secondOpinion: { ...opinion, content: own },
      serviceName: url,
      callsAtOnce: concurrency,
      answersAtRisk: concurrency,
      metered: remote.metered,
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
 * The nexus of the account. With address and account it is what the answers of a remote service depend on, as far as
 * that can be asked for nothing: when one of them changes, kept calculations are not used any more.
 */
const regionsOf = async (url: string, service: TaxService): Promise<readonly string[]> => {
  const regions = await service.nexusRegions().catch((error: unknown) => {
    throw isGone(error) ? addressError(url) : error;
  });
  return regions.map(({ country_code, region_code }) => `${country_code}-${region_code}`);
};

/**
 * What is known of a served Tieout whose content is not that of this program: where local rates are missing is known,
 * from which day on the law of a place holds is not.
 */
const coverageOfOther = (own: ContentCoverage): ContentCoverage => ({ ...own, lawSince: ({ day }) => day });

const addressError = (url: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_REFUSED',
    recovery: 'fix-config',
    message: `${url} answers, but not as the base address of a tax service: 404 Not Found for ${url}/nexus/regions`,
    nextStep:
      'Correct the address, service.url in the configuration: it ends with the version segment, such as https://tax.example.com/v2',
  });

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The key and customers' addresses do not travel in the clear unless the configuration says so. */
const refusePlaintext = (url: string, insecure: boolean): void => {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || insecure || LOOPBACK.test(hostname)) return;
  throw new TieoutError({
    code: 'E_SERVICE_PLAINTEXT',
    recovery: 'fix-config',
    message: `${url} would be sent the key and customers’ addresses in the clear`,
    nextStep: 'Write https:// there, or say service.insecure: true where the network itself is safe',
  });
};

const keyError = (url: string, where: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_KEY',
    recovery: 'fix-config',
    message: `the key of ${url} belongs into the environment variable ${where}`,
    nextStep: 'Set it where the command runs; keys are never read from the configuration',
  });
