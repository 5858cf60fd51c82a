import { DefectError } from '../../kernel/errors.ts';
import type { Configuration } from './schema.ts';

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
  const names = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  return (provider) => names.get(provider) ?? `${provider} (no channel)`;
};

/** The distinct providers of all channels. */
export const providersOf = (configuration: Configuration): readonly string[] => [
  ...new Set(configuration.channels.map(({ name }) => providerOf(configuration, name))),
];

/** The providers of all channels, and the other providers whose records are read back. */
export const providersReadBack = (configuration: Configuration): readonly string[] => [
  ...new Set([...providersOf(configuration), ...configuration.service.otherProviders]),
];
