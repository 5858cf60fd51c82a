import { keepPage, readPage } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A workspace, and the service with which its sales are recorded. */
export type ServicePorts = { readonly workspace: Workspace; readonly serviceName: string };

/** The submission state of a sale: a row of the pages of `submitted`. */
export type SubmittedSale = {
  readonly key: string;
  /** Digest of the body that was sent, or is about to be. `sale` is the digest of its sale. */
  readonly body: string;
  readonly sale: string;
  /** `sending` until the answer is known; `missing` when the service no longer has a record that it held. */
  readonly state: 'sending' | 'held' | 'refused' | 'conflict' | 'missing';
  readonly detail: string;
};

export const submittedStage = ({ serviceName }: Pick<ServicePorts, 'serviceName'>) =>
  `submitted ${serviceName}` as const;

/** Returns the submission states of the sales of a page, by key. */
export const submittedIn = async (
  ports: ServicePorts,
  slot: string,
): Promise<ReadonlyMap<string, SubmittedSale>> =>
  submittedByKey((await readPage<SubmittedSale>(ports.workspace, submittedStage(ports), slot))?.rows ?? []);

/** Mark sales of a page that the service held but no longer has, so that they are sent again. */
export const noteMissing = async (
  ports: ServicePorts,
  slot: string,
  keys: ReadonlySet<string>,
): Promise<void> => {
  const stage = submittedStage(ports);
  const page = keys.size === 0 ? undefined : await readPage<SubmittedSale>(ports.workspace, stage, slot);
  if (!page) return;
  const rows = page.rows.map((row) =>
    row.state === 'held' && keys.has(row.key) ? { ...row, state: 'missing' as const } : row,
  );
  const open = rows.filter(({ state }) => state !== 'held').length;
  await keepPage(ports.workspace, stage, slot, { input: page.input, open, rows });
};

export const submittedByKey = (rows: readonly SubmittedSale[]): ReadonlyMap<string, SubmittedSale> =>
  new Map(rows.map((row) => [row.key, row]));
