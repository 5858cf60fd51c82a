import { registerReader } from '../../certificates/read-register.ts';
import { storeRegister } from '../../workspace/certificate-files.ts';
import type { ClosePorts } from '../close-ports.ts';
import { sourceFiles } from './source-file.ts';

/** Bring the configured register of exemption certificates into the workspace, as it stands now. */
export const extractCertificates = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const { certificates, resolvePath } = configuration;
  const read = registerReader();
  const files = [];
  for (const file of await sourceFiles(certificates, resolvePath)) files.push(await read(file));
  await storeRegister(workspace, files);
};
