import { digestOf, type Json } from '../../kernel/digest.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { signaturesOf } from '../workspace/signatures.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { presentBasis } from './basis-digest.ts';
import { closingBefore } from './closing.ts';

/** What the workspace knows by now of what the files of a period are made from. */
export const workspaceParts = (workspace: Workspace, period: FilingPeriod) => ({
  figures: () => presentBasis(workspace, period),
  before: async () => (await closingBefore(workspace, period))?.report.signOff.contentDigest ?? '',
  signatures: async () => {
    const before = await closingBefore(workspace, period);
    const labels = [period.label, ...(before ? [before.period.label] : [])];
    return digestOf((await Promise.all(labels.map((label) => signaturesOf(workspace, label)))) as Json);
  },
});

/** Digest of the exports of all channels as they were read last. */
export const exportsDigest = async ({ tables, entity }: Workspace): Promise<string> =>
  digestOf(
    await tables
      .selectFrom('source_load')
      .select(['channel', 'digest'])
      .where('entity', '=', entity)
      .orderBy('channel')
      .execute(),
  );
