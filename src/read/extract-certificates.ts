import { type RegisterFile, registerReader } from '../close/certificates/read-register.ts';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { readCompanionFiles } from './companion-files.ts';

/**
 * Read this register.
 *
 * @throws {TieoutError} E_CERTIFICATES_MISSING, E_CERTIFICATES_COLUMNS, or what any file of exports can have
 */
export const readRegister = ({
  certificates,
  resolvePath,
}: Pick<LoadedConfiguration, 'certificates' | 'resolvePath'>): Promise<readonly RegisterFile[]> => {
  const missing = {
    code: 'E_CERTIFICATES_MISSING',
    nextStep: 'Put the register of certificates there, or correct `certificates` in the configuration.',
  } as const;
  return readCompanionFiles(certificates, resolvePath, missing, registerReader());
};
