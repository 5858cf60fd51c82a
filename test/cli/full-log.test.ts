import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildLog } from '../../src/app/build-log.ts';

test.skipIf(!existsSync('/dev/full'))(
  'a log for which there is no space stops nothing, and says so at the end',
  () => {
    const said: string[] = [];
    const { log, close } = buildLog({ level: 'info', file: '/dev/full' }, (text) => said.push(text));
    log.info('a stage begins', { stage: 'extract' });
    log.info('a stage is done', { stage: 'extract' });
    close();
    expect(said).toEqual([
      expect.stringMatching(/^The log was not written to its end: \/dev\/full: ENOSPC.*\n$/),
    ]);
  },
);
