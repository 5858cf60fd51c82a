import { describe, expect, test } from 'vitest';
import { type Progress, plainProgress, terminalProgress } from '../../src/runtime/pipeline.ts';

const run = (progress: Progress, later: (ms: number) => void = () => {}) => {
  progress.started('extract');
  later(200);
  progress.advanced('extract', 500);
  later(200);
  progress.advanced('extract', 1000, 1200);
  progress.finished('extract', '321 orders');
  progress.finished('a-long-stage-name', 'done');
};

/** What a terminal shows in the end: a line that was cleared is gone. */
const shown = (text: string) =>
  text
    .split('\n')
    .map((line) => line.split('\r\u001b[2K').at(-1))
    .join('\n');

describe('progress', () => {
  test('on a terminal rewrites one line until the stage is done', () => {
    const written: string[] = [];
    let now = 0;
    const progress = terminalProgress(
      (text) => written.push(text),
      () => now,
    );
    run(progress, (ms) => {
      now += ms;
    });
    expect(written.map(shown)).toEqual([
      '  extract …',
      '  extract … 500',
      '  extract … 1,000 of 1,200',

      '  extract    321 orders\n',
      '  a-long-stage-name done\n',
    ]);
    expect(shown(written.join(''))).toBe('  extract    321 orders\n  a-long-stage-name done\n');
  });

  test('in a mail is one plain line for each stage that is done', () => {
    const written: string[] = [];
    run(plainProgress((text) => written.push(text)));
    expect(written).toEqual(['extract: 321 orders\n', 'a-long-stage-name: done\n']);
  });
});
