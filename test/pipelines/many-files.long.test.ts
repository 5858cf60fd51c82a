import { test } from 'vitest';
import { closeManyFiles } from './many-files.ts';

test('a channel of hundreds of files is read whole, each file once', () =>
  closeManyFiles({ loose: 200, packed: 150 }));
