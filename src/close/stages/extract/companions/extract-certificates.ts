import { registerReader } from '../../../certificates/read-register.ts';
import { storeRegister } from '../../../workspace/certificate-files.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import { readCompanionFiles } from './companion-files.ts';

/** Load the configured register of exemption certificates into the workspace, as it is now. */
export const extractCertificates = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const { certificates, resolvePath } = configuration;
  const missing = {
    code: 'E_CERTIFICATES_MISSING',
    nextStep: 'Put the register of certificates there, or correct `certificates` in the configuration.',
  } as const;
  const files = await readCompanionFiles(certificates, resolvePath, missing, registerReader());
  await storeRegister(workspace, files);
};
