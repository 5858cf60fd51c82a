import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { byteMeter } from '../../src/runtime/byte-meter.ts';

test('every byte is handed on, counted and digested', async () => {
  const { stream, measured } = byteMeter();
  const pieces = [Buffer.from('collected '), Buffer.alloc(0), Buffer.from('12.50 €')];
  const passed = await buffer(Readable.from(pieces).pipe(stream));

  expect(passed).toEqual(Buffer.concat(pieces));
  expect(measured()).toEqual({
    bytes: passed.length,
    sha256: createHash('sha256').update(passed).digest('hex'),
  });
});
