import { keepPage, readPage } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A workspace, and the service that its sales stand with. */
export type ServicePorts = { readonly workspace: Workspace; readonly serviceName: string };

/** How a sale stands with the service: a row of the pages of `submitted`. */
export type SubmittedSale = {
  readonly key: string;
  /** Digests of the body that was sent, or is about to be, and of its sale. */
  readonly body: string;
  readonly sale: string;
  /** `sending` until the answer is known; `missing` when it was gone later. */
  readonly state: 'sending' | 'held' | 'refused' | 'conflict' | 'missing';
  readonly detail: string;
};

export const submittedStage = ({ serviceName }: Pick<ServicePorts, 'serviceName'>) =>
  `submitted ${serviceName}` as const;

/** How the sales of a page stand with the service, by their keys. */
export const submittedIn = async (
  ports: ServicePorts,
  slot: string,
): Promise<ReadonlyMap<string, SubmittedSale>> =>
  submittedByKey((await readPage<SubmittedSale>(ports.workspace, submittedStage(ports), slot))?.rows ?? []);

/** Note of sales of a page that the service held them and holds them no more, so that they are sent again. */
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
