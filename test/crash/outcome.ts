import { hash } from 'node:crypto';
import { join } from 'node:path';
import { connect } from '../../src/database/connect.ts';
import { filesOf } from '../support/tieout.ts';
import { outputOf } from './close-shop.ts';

/** What a close leaves to the world: its files, and what the books hold. */
export type Outcome = {
  /** The digest of each file below the output, by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** Each record of the books in full, with how often it was changed, as text, in order. */
  readonly records: readonly string[];
};

type Books = { readonly transactions: Readonly<Record<string, unknown>> };

export const outcomeOf = async (folder: string, ledger: string): Promise<Outcome> => ({
  files: await digestsBelow(outputOf(folder)),
  records: await recordsOf(ledger),
});

/** The digests of the period's own folder, which has its name only while it is whole. */
export const publishedIn = (folder: string, period = '2026-10'): Promise<Readonly<Record<string, string>>> =>
  digestsBelow(join(outputOf(folder), 'shop', period));

const digestsBelow = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const files = await filesOf(folder);
  return Object.fromEntries([...files].map(([path, bytes]) => [path, hash('sha256', bytes)]));
};

/** A first revision is a random multiple of a thousand, and each change adds one. */
export const withChanges = ({ revision, ...row }: Readonly<Record<string, unknown>>) => ({
  ...row,
  changes: Number(revision) % 1_000,
});

const recordsOf = async (url: string): Promise<readonly string[]> => {
  const database = await connect(url);
  try {
    const rows = await database.tables<Books>().selectFrom('transactions').selectAll().execute();
    return rows
      .map(withChanges)
      .map((row) => JSON.stringify(row))
      .sort();
  } finally {
    await database.close();
  }
};
