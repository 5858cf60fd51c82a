import { TieoutError } from '../../../kernel/errors.ts';
import { type RegisterFile, registerReader } from '../../certificates/read-register.ts';
import { ExportError } from '../../sales/export-error.ts';
import { storeRegister } from '../../workspace/certificate-files.ts';
import type { ClosePorts } from '../close-ports.ts';
import { sourceFiles } from './source-file.ts';

/** Bring the configured register of exemption certificates into the workspace, as it stands now. */
export const extractCertificates = async ({ configuration, workspace }: ClosePorts): Promise<void> => {
  const { certificates, resolvePath } = configuration;
  const read = registerReader();
  const files: RegisterFile[] = [];
  for (const file of await found(() => sourceFiles(certificates, resolvePath))) files.push(await read(file));
  await storeRegister(workspace, files);
};

/** What is missing is told with the key of the configuration that names it. */
const found = async <Files>(look: () => Promise<Files>): Promise<Files> => {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') throw error;
    throw new TieoutError({
      code: 'E_CERTIFICATES_MISSING',
      recovery: 'fix-input',
      message: error.message,
      nextStep: 'Put the register of certificates there, or correct `certificates` in the configuration.',
      details: error.details,
      cause: error,
    });
  }
};
