import { TieoutError } from '../kernel/errors.ts';

/** A published file, and the page of its publisher that a person is sent to when it cannot be had. */
export type WantedFile = { readonly address: string; readonly page: string };

/** Where published files come from: the addresses of authorities, or a folder to which somebody downloaded them. */
export type FileSource = {
  /** Whether a file that keeps its address can be taken without looking at the page. */
  readonly knowsAddresses: boolean;
  /** The addresses of the files that a page leads to. @throws {TieoutError} as `take` */
  readonly listed: (page: string) => Promise<readonly string[]>;
  /**
   * Write the file of an address to a path. What was not received whole is not left there.
   *
   * @throws {TieoutError} E_FETCH_UNAVAILABLE, E_FETCH_REFUSED
   */
  readonly take: (wanted: WantedFile, path: string) => Promise<void>;
};

/** What an address has is not the file, or nothing: a person has to look where it is now. */
export const fetchRefused = (message: string, page: string): TieoutError =>
  new TieoutError({
    code: 'E_FETCH_REFUSED',
    recovery: 'fix-input',
    message,
    nextStep: `Download the file from ${page} and import it with \`tieout content import\`; where its address has changed for good, correct its row in official-files.tsv of the content folder`,
    details: { page },
  });

/** An address does not answer, or not to the end: the same command may find it later. */
export const fetchUnavailable = (message: string, page: string, cause?: unknown): TieoutError =>
  new TieoutError({
    code: 'E_FETCH_UNAVAILABLE',
    recovery: 'retry',
    message,
    nextStep: `Run the same command again later, what was fetched is kept; or download the file from ${page} and name its folder with --from`,
    details: { page },
    ...(cause !== undefined && { cause }),
  });
