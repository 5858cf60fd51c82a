import { DefectError } from '../kernel/errors.ts';
import { digestOf, type Json } from '../kernel/json.ts';
import { oncePer } from '../kernel/once.ts';
import type { Configuration } from './schema.ts';

/** The inputs of a result, by name, mostly as digests. */
export type Parts<Name extends string = string> = Readonly<Record<Name, string>>;

/**
 * Parts of a configuration that are tracked for changes: `configuration` covers everything that affects figures; the
 * others cover what affects the requests to the service.
 */
export type ConfigurationPart = 'configuration' | 'shipFrom' | 'buyerUse' | 'registrations' | 'providers';

/**
 * The parts that the results of a close depend on. The id of an embedded service also names the program and the tax
 * content behind it; the second opinion has tax content of its own.
 */
export type WorkPart = ConfigurationPart | 'program' | 'service' | 'opinion';

export type WorksWith = {
  readonly configuration: Configuration;
  /** Digest of the program's own files, which can change while its version number does not. */
  readonly programDigest: string;
  /** Identifies the service and its tax content, so that calculations of different ones are not mixed. */
  readonly serviceId: string;
  readonly secondOpinion?: { readonly content: string };
};

export const workParts = ({
  configuration,
  programDigest,
  serviceId,
  secondOpinion,
}: WorksWith): Parts<WorkPart> => ({
  ...configurationParts(configuration),
  program: programDigest,
  service: serviceId,
  opinion: secondOpinion?.content ?? '',
});

/** Compute the parts, once per configuration. */
export const configurationParts = oncePer(
  (configuration: Configuration): Parts<ConfigurationPart> => ({
    configuration: digestOf(figuring(configuration)),
    shipFrom: digestOf(plain(configuration.shipFrom)),
    buyerUse: configuration.buyerUse ?? '',
    registrations: digestOf(
      configuration.registrations.map(({ state, since, oneRate }) => [
        state,
        since,
        ...(oneRate ? [true] : []),
      ]),
    ),
    providers: digestOf(configuration.channels.map(({ name, provider = name }) => [name, provider])),
  }),
);

/**
 * The settings that affect figures: not locations, performance settings, decisions, which stand in the books of
 * the periods that they are about, or tax content, which the service id covers.
 */
const figuring = (configuration: Configuration): { readonly [key: string]: Json | undefined } => {
  const {
    file,
    named,
    content,
    databases,
    output,
    decisions,
    decided,
    service: _,
    ...rest
  } = plain(configuration);
  const { url = 'embedded', asOf, otherProviders } = configuration.service;
  return { ...rest, service: plain({ url, asOf, otherProviders }) };
};

/** Strip the functions of a loaded configuration by a round trip through JSON. */
const plain = (value: object): { readonly [key: string]: Json | undefined } =>
  JSON.parse(JSON.stringify(value)) as Record<string, Json>;

/** The source under which the service keeps the records of a channel. */
export const providerOf = (configuration: Configuration, channel: string): string => {
  const found = configuration.channels.find(({ name }) => name === channel);
  if (!found) throw new DefectError(`no channel is named ${channel}`);
  return found.provider ?? found.name;
};

/**
 * Returns the channel of a provider. The name of a provider without a channel is one that no channel can have: a
 * channel may be called what another system calls itself.
 */
export const channelOfProvider = (configuration: Configuration): ((provider: string) => string) => {
  const names = new Map(configuration.channels.map(({ name, provider = name }) => [provider, name]));
  return (provider) => names.get(provider) ?? `${provider} (no channel)`;
};

/** The distinct providers of all channels. */
export const providersOf = (configuration: Configuration): readonly string[] => [
  ...new Set(configuration.channels.map(({ name, provider = name }) => provider)),
];

/** The providers of all channels, and the other providers whose records are read back. */
export const providersReadBack = (configuration: Configuration): readonly string[] => [
  ...new Set([...providersOf(configuration), ...configuration.service.otherProviders]),
];
