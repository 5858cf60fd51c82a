import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsIn, surveyOf } from './on-disk.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('the encoding of a file is found out', () => {
  test.for([
    [bytes('city\nSan José\n'), 'utf-8', 'strict UTF-8 comes first'],
    [Buffer.from('city\nSan José\n', 'latin1'), 'windows-1252', 'what is not an UTF-8 is Windows-1252'],
    [Buffer.from('\ufeffcity\nSan José\n', 'utf16le'), 'utf-16le', 'by its mark'],
    [utf16be('\ufeffcity\nSan José\n'), 'utf-16be', 'by its mark'],
  ] as const)('%j is %s: %s', async ([content, encoding]) => {
    const file = await surveyOf(content);
    expect(file.form).toMatchObject({ kind: 'text', encoding });
    expect(await rowsIn(file)).toEqual([
      { line: 1, cells: ['city'] },
      { line: 2, cells: ['San José'] },
    ]);
  });

  test('of Windows-1252 the typographic characters are read as well', async () => {
    const file = await surveyOf(bytes('note\n', [0x93], 'rush', [0x94, 0x20, 0x80], '5\n'));
    expect((await rowsIn(file))[1]?.cells).toEqual(['“rush” €5']);
  });

  test('wherever a piece of the file ends within a character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 8 }), async (shift) => {
        const text = `a\n${'x'.repeat(262_140 + shift - 2)}é€𝄞é€𝄞\n`.replace(
          /x{500}/g,
          (run) => `${run.slice(1)}\n`,
        );
        const file = await surveyOf(text);
        expect(file.form).toMatchObject({ encoding: 'utf-8' });
        expect((await rowsIn(file)).at(-1)?.cells[0]).toMatch(/x*é€𝄞é€𝄞$/);
      }),
      { numRuns: 9 },
    );
  });
});

describe('a file that is not text is refused', () => {
  test.for([
    [bytes('a,b\n1,\0\n'), 'it has zero bytes, so it is not text', 'a zero byte'],
    [
      bytes([0xef, 0xbb, 0xbf], 'a\n', [0xe9], '\n'),
      'it begins as UTF-8 text and goes on as something else',
      'a false mark',
    ],
    [
      bytes('a\n', [0x81], '\n'),
      'it is neither UTF-8 nor Windows-1252 text',
      'a byte that Windows-1252 has not',
    ],
    [
      bytes([0xd0, 0xcf, 0x11, 0xe0]),
      'it is an old Excel workbook (.xls), or one with a password',
      'a workbook of 2003',
    ],
    [bytes('<html><table>'), 'it is HTML or XML, whatever its name says', 'a page saved as .xls'],
  ] as const)('%j: %s (%s)', async ([content, rule]) => {
    await expect(surveyOf(content)).rejects.toMatchObject({
      code: 'E_EXPORT_ENCODING',
      message: expect.stringMatching(/orders\.csv: /),
      details: { file: expect.stringMatching(/orders\.csv$/) },
    });
    await expect(surveyOf(content)).rejects.toThrow(rule);
  });

  test('half of a UTF-16 character at its end', async () => {
    const file = await surveyOf(bytes([0xff, 0xfe], Buffer.from('a\nb', 'utf16le') as never, [0x0a]));
    await expect(rowsIn(file)).rejects.toMatchObject({ code: 'E_EXPORT_ENCODING' });
  });
});

test('a line without end is refused before it is read to its end', async () => {
  await expect(surveyOf('a'.repeat(5 * 1024 * 1024))).rejects.toMatchObject({
    code: 'E_EXPORT_LIMIT',
    message: expect.stringMatching(/it has 4 MB without the end of a line/),
  });
});
