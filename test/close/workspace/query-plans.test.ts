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

/** The questions that the database answers in no step that is like this. */
const answeredOtherwise = (folder: string, asked: readonly string[], step: RegExp): readonly string[] => {
  const workspace = new DatabaseSync(join(folder, '.tieout', 'workspace.db'), { readOnly: true });
  const others = asked.filter((text) =>
    workspace
      .prepare(`explain query plan ${text}`)
      .all()
      .every(({ detail }) => !step.test(String(detail))),
  );
  workspace.close();
  return others;
};

test('whatever a close asks of records by their keys, the database looks up by their keys', async () => {
  const folder = await variedShop({ count: 40 });
  const asked = await askedDuring(async () => {
    await closeHere(folder);
    await closeHere(folder);
  });
  const byKeys = asked.filter((text) => OF_A_WORKSPACE.test(text) && /"key" (?:in \(|>= \?)/.test(text));
  expect(byKeys.length).toBeGreaterThan(1);
  expect(answeredOtherwise(folder, byKeys, /\bkey[=>]\?/)).toEqual([]);
});

test('the names of the sales of a page are read between two keys of its day, and of no other', async () => {
  const folder = await variedShop({ count: 600 });
  const asked = await askedDuring(() => closeHere(folder));
  const ofPages = asked.filter((text) => /^select "key" from "sale" .*"business_date" = \?/.test(text));
  // The last page of a day has no upper bound.
  expect(
    answeredOtherwise(folder, ofPages, /sale_by_day \(entity=\? AND business_date=\? AND key>\?/),
  ).toEqual([]);
  const between = ofPages.filter((text) => /"key" between \?/.test(text));
  expect(between.length).toBeGreaterThan(0);
  expect(answeredOtherwise(folder, between, /AND key>\? AND key<\?\)/)).toEqual([]);
});
