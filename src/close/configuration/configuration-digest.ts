import { digestOf, type Json } from '../../kernel/digest.ts';
import type { Configuration } from './schema.ts';

/**
 * Digest of a configuration as far as it decides figures: not where things lie, nor how fast they are done. What is in
 * the tax content is part of the id of the service.
 */
export const configurationDigest = (configuration: Configuration): string => {
  const { content, databases, output, service: _, ...rest } = plain(configuration);
  const { url = 'embedded', asOf, otherProviders } = configuration.service;
  return digestOf({ ...rest, service: { url, asOf, otherProviders } });
};

/** A loaded configuration carries functions, and the name that somebody gave its file; neither is part of it. */
const plain = (configuration: Configuration): { readonly [key: string]: Json | undefined } => {
  const { file, ...rest } = JSON.parse(JSON.stringify(configuration)) as Record<string, Json>;
  return rest;
};
