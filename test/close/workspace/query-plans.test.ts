import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { closeHere } from '../../support/close-here.ts';
import { variedShop } from '../../support/varied-shop.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Everything that SQLite is asked while work is done. */
const askedDuring = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const asked = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, text) {
    asked.add(text);
    return prepare.call(this, text);
  });
  await work();
  vi.restoreAllMocks();
  return [...asked];
};

const OF_A_WORKSPACE = /from "(?:sale|filed_sale|carried_sale|set_aside)"/;

test('whatever a close asks of records by their keys, the database looks up by their keys', async () => {
  const folder = await variedShop({ count: 40 });
  const asked = await askedDuring(async () => {
    await closeHere(folder);
    await closeHere(folder);
  });
  const byKeys = asked.filter((text) => OF_A_WORKSPACE.test(text) && /"key" (?:in \(|>= \?)/.test(text));
  expect(byKeys.length).toBeGreaterThan(1);
  const workspace = new DatabaseSync(join(folder, '.tieout', 'workspace.db'), { readOnly: true });
  const walking = byKeys.filter((text) => {
    const plan = workspace
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => String(detail));
    return plan.every((step) => !/\bkey[=>]\?/.test(step));
  });
  workspace.close();
  expect(walking).toEqual([]);
});
