import { type RegisterFile, registerReader } from '../../../certificates/read-register.ts';
import { storeRegister } from '../../../workspace/certificate-files.ts';
import type { ClosePorts } from '../../run/close-ports.ts';
import { companionFiles } from './companion-files.ts';

/** Load the configured register of exemption certificates into the workspace, as it is now. */
export const extractCertificates = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const { certificates, resolvePath } = configuration;
  const read = registerReader();
  const files: RegisterFile[] = [];
  for (const file of await companionFiles(certificates, resolvePath, {
    code: 'E_CERTIFICATES_MISSING',
    nextStep: 'Put the register of certificates there, or correct `certificates` in the configuration.',
  }))
    files.push(await read(file));
  await storeRegister(workspace, files);
};
