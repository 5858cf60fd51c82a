import { digestOf } from '../../kernel/digest.ts';
import type { Workspace } from '../workspace/workspace.ts';

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
