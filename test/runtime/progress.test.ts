import { describe, expect, test, vi } from 'vitest';
import { type Progress, plainProgress, terminalProgress } from '../../src/runtime/progress.ts';

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

  test('on a terminal is never silent, and says how fast it is and how long it will take', () => {
    vi.useFakeTimers();
    try {
      const written: string[] = [];
      const progress = terminalProgress(
        (text) => written.push(text),
        () => Date.now(),
      );
      progress.started('recompute');
      vi.advanceTimersByTime(2_000);
      progress.advanced('recompute', 45_000, 120_000);
      vi.advanceTimersByTime(28_000);
      progress.advanced('recompute', 0);
      progress.advanced('recompute', 119_999, 120_000);
      vi.advanceTimersByTime(1_000);
      const lines = written.map(shown);
      expect(lines.length).toBeGreaterThan(29);
      expect(lines.slice(0, 4)).toEqual([
        '  recompute …',
        '  recompute … 1.0 s',
        '  recompute … 2.0 s',
        '  recompute … 45,000 of 120,000, 15,000/s, 5.0 s left',
      ]);
      expect(lines).toContain('  recompute … 45,000 of 120,000, 1,500/s, 50 s left');
      expect(lines.at(-1)).toBe('  recompute … 119,999 of 120,000, 3,871/s, 0.0 s left');
      progress.finished('recompute', 'done');
      written.length = 0;
      vi.advanceTimersByTime(5_000);
      expect(written).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('in a mail is one plain line for each stage that is done', () => {
    const written: string[] = [];
    run(plainProgress((text) => written.push(text)));
    expect(written).toEqual(['extract: 321 orders\n', 'a-long-stage-name: done\n']);
  });
});
