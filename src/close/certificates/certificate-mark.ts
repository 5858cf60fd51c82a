import type { Exemption } from './exemption-of.ts';

/** What stands for the certificate of an exempt sale that has none, or that nobody looked for. */
export const NO_CERTIFICATE = '(none)';
export const NOT_CHECKED = '(not checked)';

/** The certificate of a sale as Detail shows it; empty for a sale that is not exempt. */
export const certificateMark = ({ standing, certificate }: Exemption): string => {
  if (certificate) return certificate.name;
  if (standing === 'unsupported') return NO_CERTIFICATE;
  return standing === 'unchecked' ? NOT_CHECKED : '';
};
