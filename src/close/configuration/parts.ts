import { digestOf, type Json } from '../../kernel/digest.ts';
import type { Parts } from '../../kernel/parts.ts';
import { providerOf } from './provider-of.ts';
import type { Configuration } from './schema.ts';

/** The whole configuration as far as it decides figures, and what of it decides what is asked and sent. */
export type ConfigurationPart = 'configuration' | 'shipFrom' | 'buyerUse' | 'registrations' | 'providers';

/**
 * What a close works with. The id of a service names the program and the tax content behind an embedded one, too; what is held
 * against the answers of another one has a content of its own.
 */
export type WorkPart = ConfigurationPart | 'program' | 'service' | 'opinion';

export type WorksWith = {
  readonly configuration: Configuration;
  /** Digest of the program's own files, which change while its version stays. */
  readonly programDigest: string;
  /** Which service and which tax content answers: calculations of another one are not mixed with its own. */
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

/** Worked out once for a configuration. */
export const configurationParts = (configuration: Configuration): Parts<ConfigurationPart> => {
  const found = known.get(configuration) ?? partsOf(configuration);
  known.set(configuration, found);
  return found;
};

const known = new WeakMap<Configuration, Parts<ConfigurationPart>>();

const partsOf = (configuration: Configuration): Parts<ConfigurationPart> => ({
  configuration: wholeDigest(configuration),
  shipFrom: digestOf(plain(configuration.shipFrom)),
  buyerUse: configuration.buyerUse ?? '',
  registrations: digestOf(
    configuration.registrations.map(({ state, since, oneRate }) => [
      state,
      since,
      ...(oneRate ? [true] : []),
    ]),
  ),
  providers: digestOf(configuration.channels.map(({ name }) => [name, providerOf(configuration, name)])),
});

const wholeDigest = (configuration: Configuration): string => digestOf(figuring(configuration));

/** Each setting by itself, so that a change can be named. */
export const settingParts = (configuration: Configuration): Parts =>
  Object.fromEntries(
    Object.entries(figuring(configuration)).map(([key, value]) => [
      `setting ${key}`,
      digestOf(value ?? null),
    ]),
  );

/** Where things lie, and how fast they are done, is left out; what is in the tax content is part of the id of the service. */
const figuring = (configuration: Configuration): { readonly [key: string]: Json | undefined } => {
  const { file, named, content, databases, output, decisions, service: _, ...rest } = plain(configuration);
  const { url = 'embedded', asOf, otherProviders } = configuration.service;
  return { ...rest, service: plain({ url, asOf, otherProviders }) };
};

/** A loaded configuration carries functions, and the name that somebody gave its file; neither is part of it. */
const plain = (value: object): { readonly [key: string]: Json | undefined } =>
  JSON.parse(JSON.stringify(value)) as Record<string, Json>;
