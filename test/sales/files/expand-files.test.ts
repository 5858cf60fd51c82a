import { describe, expect, test } from 'vitest';
import { expandFiles } from '../../../src/sales/survey-file.ts';
import { expand, folderOf } from './on-disk.ts';

const FILES = {
  'exports/2026-10-b.csv': 'b',
  'exports/2026-10-a.csv': 'a',
  'exports/notes.txt': 'n',
  'exports/.hidden.csv': 'h',
  'exports/~$open.xlsx': 'o',
  'exports/old/2025.csv': 'o',
  'odd [1].csv': 'odd',
};

describe('the files that an entry means', () => {
  test.for([
    [['exports/2026-10-a.csv'], ['exports/2026-10-a.csv'], 'a file is itself'],
    [
      ['exports'],
      ['exports/2026-10-a.csv', 'exports/2026-10-b.csv', 'exports/notes.txt'],
      'of a folder its files, not those of its folders, by name',
    ],
    [['exports/*.csv'], ['exports/2026-10-a.csv', 'exports/2026-10-b.csv'], 'a pattern, by name'],
    [
      ['exports/**/2*.csv'],
      ['exports/2026-10-a.csv', 'exports/2026-10-b.csv', 'exports/old/2025.csv'],
      'through folders',
    ],
    [
      ['exports/2026-10-b.csv', 'exports/*.csv'],
      ['exports/2026-10-b.csv', 'exports/2026-10-a.csv'],
      'each once, where it is named first',
    ],
    [['odd [1].csv'], ['odd [1].csv'], 'a file whose name looks like a pattern'],
  ] as const)('%j are %j: %s', async ([entries, names]) => {
    const folder = await folderOf(FILES);
    expect((await expand(folder, ...entries)).map(({ name }) => name)).toEqual(names);
  });

  test.for([
    ['none/*.csv', 'E_EXPORT_MISSING', 'no file fits this pattern'],
    ['gone.csv', 'E_EXPORT_MISSING', 'there is no such file'],
    ['empty', 'E_EXPORT_MISSING', 'the folder has no files'],
  ] as const)('%s: %s, %s', async ([entry, code, rule]) => {
    const folder = await folderOf({ ...FILES, 'empty/.keep': '' });
    await expect(expand(folder, entry)).rejects.toMatchObject({ code });
    await expect(expand(folder, entry)).rejects.toThrow(rule);
  });

  test('a device is refused, because it could be read only once', async () => {
    await expect(expandFiles(['/dev/null'], (path) => path)).rejects.toMatchObject({
      code: 'E_EXPORT_UNREADABLE',
    });
  });
});
