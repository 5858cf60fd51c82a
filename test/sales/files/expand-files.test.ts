import { expect, test } from 'vitest';
import { rowsOf } from '../../support/rows.ts';
import { expand, folderOf } from './on-disk.ts';

const NAMES = ['ex/b.csv', 'ex/a.csv', 'ex/notes.txt', 'ex/.hidden.csv', 'ex/~$open.xlsx', 'ex/old/2025.csv'];
const FILES = Object.fromEntries([...NAMES, 'odd [1].csv', 'empty/.keep'].map((name) => [name, name]));

test.for(
  rowsOf(`
  ex/a.csv | ex/a.csv | a file is itself
  ex | ex/a.csv ex/b.csv ex/notes.txt | of a folder its files, not those of its folders, by name
  ex/*.csv | ex/a.csv ex/b.csv | a pattern, by name
  ex/**/*5.csv | ex/old/2025.csv | through folders
  ex/b.csv ex/*.csv | ex/b.csv ex/a.csv | each once, where it is named first
`),
)('“%s” means %s: %s', async ([entries, names]) => {
  const found = await expand(await folderOf(FILES), ...entries.split(' '));
  expect(found.map(({ name }) => name).join(' ')).toBe(names);
});

test('a file whose name looks like a pattern is itself', async () => {
  expect(await expand(await folderOf(FILES), 'odd [1].csv')).toMatchObject([{ name: 'odd [1].csv' }]);
});

test.for(
  rowsOf(`
  none/*.csv | no file fits this pattern
  gone.csv | there is no such file
  empty | the folder has no files
`),
)('%s: %s', async ([entry, rule]) => {
  const found = expand(await folderOf(FILES), entry);
  await expect(found).rejects.toMatchObject({
    code: 'E_EXPORT_MISSING',
    message: expect.stringContaining(rule),
  });
});
