import { TieoutError } from '../kernel/errors.ts';

/** A published file, and the page of its publisher for a person to visit when the file cannot be fetched. */
export type WantedFile = { readonly address: string; readonly page: string };

/** A source of published files: the addresses of authorities, or a folder to which a person downloaded them. */
export type FileSource = {
  /** Whether a file that keeps its address can be taken without reading the page. */
  readonly knowsAddresses: boolean;
  /** List the addresses of the files that a page links to. @throws {TieoutError} as `take` */
  readonly listed: (page: string) => Promise<readonly string[]>;
  /**
   * Write the file of an address to a path. An incomplete file is not left there.
   *
   * @throws {TieoutError} E_FETCH_UNAVAILABLE, E_FETCH_REFUSED
   */
  readonly take: (wanted: WantedFile, path: string) => Promise<void>;
};

/** Return the error for an address that does not have the file: a person has to find where it is now. */
export const fetchRefused = (message: string, page: string): TieoutError =>
  new TieoutError({
    code: 'E_FETCH_REFUSED',
    recovery: 'fix-input',
    message,
    nextStep: `Download the file from ${page} and import it with \`tieout content import\`; where its address has changed for good, correct its row in official-files.tsv of the content folder`,
    details: { page },
  });

/** Return the error for an address that does not answer, or not completely: the same command may succeed later. */
export const fetchUnavailable = (message: string, page: string, cause?: unknown): TieoutError =>
  new TieoutError({
    code: 'E_FETCH_UNAVAILABLE',
    recovery: 'retry',
    message,
    nextStep: `Run the same command again later, what was fetched is kept; or download the file from ${page} and name its folder with --from`,
    details: { page },
    ...(cause !== undefined && { cause }),
  });
