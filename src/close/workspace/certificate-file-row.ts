/** One file of the register of exemption certificates, as it was last read. */
export type CertificateFileRow = {
  entity: string;
  path: string;
  /** Its place among the files of the register, from 0. */
  position: number;
  sha256: string;
  bytes: number;
  /** Rows behind the header, and what became of them. `used + ignored + rejected = rows`. */
  rows: number;
  used: number;
  ignored: number;
  rejected: number;
  /** Its certificates and the problems of its rows. */
  body: string;
};
