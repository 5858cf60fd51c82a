import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanRecords } from '../../../src/sales/scan-records.ts';
import { rowsIn, surveyOf } from './on-disk.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Each row as the line on which it begins, and its cells with bars between them. */
const flat = async (content: string | Uint8Array): Promise<readonly string[]> =>
  (await rowsIn(await surveyOf(content))).map(({ line, cells }) => `${line}: ${cells.join('|')}`);

describe('the encoding of a file is found out', () => {
  test.for([
    [bytes('San José\n'), 'utf-8', 'San José'],
    [Buffer.from('San José\n', 'latin1'), 'windows-1252', 'San José'],
    [bytes([0x93], 'rush', [0x94, 0x20, 0x80], '5\n'), 'windows-1252', '“rush” €5'],
    [Buffer.from('\ufeffSan José\n', 'utf16le'), 'utf-16le', 'San José'],
    [utf16be('\ufeffSan José\n'), 'utf-16be', 'San José'],
  ] as const)('%j is %s', async ([content, encoding, text]) => {
    expect((await surveyOf(content)).form).toMatchObject({ kind: 'text', encoding });
    expect(await flat(content)).toEqual([`1: ${text}`]);
  });

  test('wherever a piece of the file ends within a character', async () => {
    for (let shift = 0; shift < 9; shift += 1) {
      const lines = `${'x'.repeat(499)}\n`.repeat(524) + 'x'.repeat(138 + shift);
      expect((await flat(`${lines}é€𝄞é€𝄞\n`)).at(-1)).toMatch(/x*é€𝄞é€𝄞$/);
    }
  });
});

describe('the rows of a file', () => {
  test.for([
    ['a,b\n1,2', ['1: a|b', '2: 1|2'], 'the last line needs no end'],
    ['a,b\r1,2\r', ['1: a|b', '2: 1|2'], 'lines may end as on an old Macintosh'],
    ['\uFEFF"a",b\n', ['1: a|b'], 'a byte order mark is not text, not even before a quote'],
    [
      'a,b\n\uFEFF"a",b\r\n\uFEFF\n3,\uFEFF4\n\uFEFF',
      ['1: a|b', '2: a|b', '4: 3|\uFEFF4'],
      'nor where a further file was appended',
    ],
    ['"a\r\n\r\nb"\n1,2\n', ['1: a\r\n\r\nb', '4: 1|2'], 'a quoted cell may have lines of its own'],
    ['a,b\n\n1,2\n\n\n3,4\n', ['1: a|b', '3: 1|2', '6: 3|4'], 'blank lines are counted, not read'],
    ['', [], 'of an empty file there are none'],
  ] as const)('of %j are %j: %s', async ([content, rows]) => {
    expect(await flat(content)).toEqual(rows);
  });

  test('stand on the lines that an editor shows, however long the file and its cells', async () => {
    const anyCell = fc
      .array(fc.constantFrom('x', 'é', '"', ',', '\n', '\r\n', ' '), { maxLength: 8 })
      .map((pieces) => pieces.join(''));
    const anyRecord = fc.array(anyCell, { minLength: 1, maxLength: 4 });
    const anyEnd = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 30 }), anyEnd, async (records, end) => {
        // Far more than one piece of a file stands before the rows, so that pieces end anywhere in them.
        const filler = `y${end}`.repeat(70_000 / (end.length + 1));
        let line = filler.split('\n').length;
        let text = filler;
        const expected = records.map((cells) => {
          const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
          const own = `x,${quoted.join(',')}${end}`;
          const start = line;
          line += own.split('\n').length - 1;
          text += own;
          return { line: start, cells: ['x', ...cells] };
        });
        const rows = await rowsIn(await surveyOf(text));
        expect(rows.filter(({ cells }) => cells[0] === 'x')).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('are those that another parser finds, wherever a piece of the text ends', async () => {
    const parts = ['a', 'é', '€', '\u{1f600}', 'b\0', ',', '"', '""', ',"', '",', '\n', '\r\n', '\r', ' '];
    const anyText = fc.array(fc.constantFrom(...parts, '"x"', '"y\n"'), { maxLength: 40 });
    const parsed = (text: string, delimiter: string): readonly (readonly string[])[] | 'damaged' => {
      try {
        const options = { delimiter, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] };
        return parse(text, options).filter((cells) => cells.some((cell) => cell.trim() !== ''));
      } catch {
        return 'damaged';
      }
    };
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(',', ';', '\t', '|'),
        async (pieces, size, delimiter) => {
          const text = pieces.join('').replaceAll(',', delimiter);
          const whole = Buffer.from(text);
          const inPieces = async function* () {
            for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
          };
          const found: (readonly string[])[] = [];
          const reading = async () => {
            for await (const batch of scanRecords(inPieces(), { name: 'x', delimiter, firstLine: 1 }))
              found.push(...batch.map(({ cells }) => cells));
          };
          const expected = parsed(text, delimiter);
          if (expected === 'damaged') {
            await expect(reading()).rejects.toMatchObject({ code: 'E_EXPORT_DAMAGED' });
            // The rows before the damage are handed on.
            const [before = ''] = /^(?:[^"\r\n]*[\r\n])*/.exec(text) ?? [];
            const sound = parsed(before, delimiter);
            expect(found.slice(0, sound.length)).toEqual(sound);
          } else {
            await reading();
            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a file that cannot be read is refused', () => {
  const XLS = bytes([0xd0, 0xcf, 0x11, 0xe0]);
  const HALF = bytes([0xff, 0xfe], Buffer.from('a\nb', 'utf16le') as never, [0x0a]);
  test.for([
    ['ENCODING', bytes('a,b\n1,\0\n'), 'it has zero bytes, so it is not text'],
    ['ENCODING', bytes([0xef, 0xbb, 0xbf], 'a\n', [0xe9], '\n'), 'begins as UTF-8 text and goes on as some'],
    ['ENCODING', XLS, 'it is an old Excel workbook (.xls), or one with a password'],
    ['ENCODING', bytes('<html><table>'), 'it is HTML or XML, whatever its name says'],
    ['ENCODING', HALF, 'orders.csv'],
    [
      'DAMAGED',
      'a,b\n1,2\n"3,4\n5,6\n',
      'starts on line 3 is damaged (the file ends inside quotes: it was cut',
    ],
    ['DAMAGED', 'a,b\n"1\n2",3\n"3"x,4\n', 'starts on line 4 is damaged (text follows a closing quote)'],
    ['LIMIT', 'a'.repeat(5 * 1024 * 1024), 'it has 4 MB without the end of a line'],
    [
      'LIMIT',
      `a,b\n"${'x'.repeat(1_000_001)}",2\n`,
      'that starts on line 2 is longer than 1000000 characters',
    ],
    ['LIMIT', `a,b\n"${'x\n'.repeat(2_000_000)}",2\n`, 'that starts on line 2 is longer than 1000000'],
    ['LIMIT', `a,b\n${','.repeat(2_000)}\n`, 'the record on line 2 has more than 2000 cells'],
  ] as const)('as %s: $2', async ([code, content, message]) => {
    await expect(flat(content)).rejects.toMatchObject({
      code: `E_EXPORT_${code}`,
      message: expect.stringMatching(/orders\.csv: /),
      recovery: 'fix-input',
    });
    await expect(flat(content)).rejects.toThrow(message);
  });
});
