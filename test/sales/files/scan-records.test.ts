import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanRecords } from '../../../src/sales/scan-records.ts';
import type { TableRow } from '../../../src/sales/table-row.ts';
import { rowsIn, surveyOf } from './on-disk.ts';

const rowsOf = async (content: string | Uint8Array): Promise<readonly TableRow[]> =>
  rowsIn(await surveyOf(content));

/** Each row as the line on which it begins, and its cells with bars between them. */
const flat = (rows: readonly TableRow[]) => rows.map(({ line, cells }) => `${line}: ${cells.join('|')}`);

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
    [
      '"a\r\n\r\nb","c\nd"\n1,2\n',
      ['1: a\r\n\r\nb|c\nd', '5: 1|2'],
      'a quoted cell may have lines of its own',
    ],
    ['a,b\n\n1,2\n\n\n3,4\n', ['1: a|b', '3: 1|2', '6: 3|4'], 'blank lines are counted, not read'],
    ['', [], 'of an empty file there are none'],
  ] as const)('of %j are %j: %s', async ([content, rows]) => {
    expect(flat(await rowsOf(content))).toEqual(rows);
  });

  test('stand on the lines that an editor shows, however long the file and its cells', async () => {
    const anyCell = fc.array(fc.constantFrom('x', 'é', '"', ',', '\n', '\r\n', ' '), { maxLength: 8 });
    const anyRecord = fc.array(
      anyCell.map((pieces) => pieces.join('')),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRecord, { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n'),
        async (records, end) => {
          const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
          const texts = records.map((cells) => `x,${cells.map(quoted).join(',')}${end}`);
          let line = 1;
          const expected = records.map((cells, index) => {
            const start = line;
            line += (texts[index] ?? '').split('\n').length - 1;
            return { line: start, cells: ['x', ...cells] };
          });
          // Far more than one piece of a file stands before the rows, so that pieces end anywhere in them.
          const filler = `y${end}`.repeat(70_000 / (end.length + 1));
          const found = (await rowsOf(filler + texts.join(''))).filter(({ cells }) => cells[0] === 'x');
          const before = filler.split('\n').length - 1;
          expect(found).toEqual(expected.map((row) => ({ ...row, line: row.line + before })));
        },
      ),
      { numRuns: 25 },
    );
  });
});

test('are those that the parser finds by itself, wherever a piece of the text ends', async () => {
  const part = fc.constantFrom(
    'a',
    'é',
    '€',
    '\u{1f600}',
    'b\0',
    ',',
    '"',
    '""',
    ',"',
    '",',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '"x"',
    '"y\n"',
  );
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
      fc.array(part, { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(',', ';', '\t', '|'),
      async (parts, size, delimiter) => {
        const text = parts.join('').replaceAll(',', delimiter);
        const bytes = Buffer.from(text);
        const pieces = async function* () {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
        };
        const found: (readonly string[])[] = [];
        const options = { name: 'x', delimiter, firstLine: 1 };
        const reading = async () => {
          for await (const batch of scanRecords(pieces(), options))
            found.push(...batch.map(({ cells }) => cells));
        };
        const expected = parsed(text, delimiter);
        if (expected === 'damaged') {
          await expect(reading()).rejects.toMatchObject({ code: 'E_EXPORT_DAMAGED' });
          // The rows before the damage are handed on.
          const [whole = ''] = /^(?:[^"\r\n]*[\r\n])*/.exec(text) ?? [];
          const before = parsed(whole, delimiter);
          expect(found.slice(0, before.length)).toEqual(before);
        } else {
          await reading();
          expect(found).toEqual(expected);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

describe('a file that cannot be read', () => {
  test.for([
    [
      'a,b\n1,2\n"3,4\n5,6\n',
      'E_EXPORT_DAMAGED',
      'orders.csv: the record that starts on line 3 is damaged (the file ends inside quotes: it was cut off, or a closing quote is missing).',
      'a quote that is never closed',
    ],
    [
      'a,b\n"1\n2",3\n"3"x,4\n5,6\n',
      'E_EXPORT_DAMAGED',
      'orders.csv: the record that starts on line 4 is damaged (text follows a closing quote).',
      'text behind a closing quote',
    ],
  ] as const)('$3: $1', async ([content, code, message]) => {
    await expect(rowsOf(content)).rejects.toMatchObject({ code, message, recovery: 'fix-input' });
  });

  test.for([
    [
      `a,b\n"${'x'.repeat(1_000_001)}",2\n`,
      'orders.csv: the record that starts on line 2 is longer than 1000000 characters.',
      'a record larger than any sale',
    ],
    [
      `a,b\n"${'x\n'.repeat(2_000_000)}",2\n`,
      'orders.csv: the record that starts on line 2 is longer than 1000000 characters.',
      'a quote that swallows the rest of a large file',
    ],
    [
      `a,b\n${','.repeat(2_000)}\n`,
      'orders.csv: the record on line 2 has more than 2000 cells.',
      'more cells than any export',
    ],
  ] as const)('$2: $1', async ([content, message]) => {
    await expect(rowsOf(content)).rejects.toMatchObject({ code: 'E_EXPORT_LIMIT', message });
  });
});
