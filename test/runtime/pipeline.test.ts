import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { TieoutError } from '../../src/kernel/errors.ts';
import { definePipeline } from '../../src/runtime/pipeline.ts';
import { plainProgress, silentProgress } from '../../src/runtime/progress.ts';

const steps = definePipeline(
  'steps',
  z.strictObject({ count: z.coerce.number().int().min(1) }),
  async (run, { add }: { add: (left: number, right: number) => number }, { count }) => {
    const first = await run.stage('first', async (advanced) => {
      advanced(count, count);
      return { value: add(count, 1), summary: `${count} read` };
    });
    return run.stage('second', async () => ({ value: add(first, 10), summary: 'all of it' }));
  },
);

const add = (left: number, right: number) => left + right;

const watched = () => {
  const lines: string[] = [];
  return { lines, progress: plainProgress((text) => lines.push(text)) };
};

describe('a pipeline', () => {
  test('runs its stages in order and hands on what they give', async () => {
    const { lines, progress } = watched();
    expect(await steps.run({ add, progress }, { count: '2' })).toBe(13);
    expect(lines).toEqual(['first: 2 read\n', 'second: all of it\n']);
  });

  test.for([
    [{}, 'one is missing'],
    [{ count: 0 }, 'one is out of range'],
    [{ count: 1, cuont: 1 }, 'one is unknown'],
  ] as const)('does not start with parameters %j: %s', async ([params]) => {
    const { lines, progress } = watched();
    await expect(async () => steps.run({ add, progress }, params)).rejects.toThrow(z.ZodError);
    expect(lines).toEqual([]);
  });

  const failingWith = (error: unknown) =>
    definePipeline('failing', z.strictObject({}), async (run, _ports: object) => {
      await run.stage('read', () => Promise.reject(error));
      await run.stage('write', async () => ({ value: 0, summary: 'never comes to this' }));
    });

  test.for([
    [
      new TieoutError({ code: 'E_EXPORT_EMPTY', recovery: 'fix-input', message: 'm', nextStep: 'n' }),
      'read: stopped: E_EXPORT_EMPTY, exit code 65\n',
      'an error that was designed is named by its code',
    ],
    [new TypeError('x is undefined'), 'read: stopped: E_DEFECT, exit code 70\n', 'any other is a defect'],
  ] as const)('stops at %s with "%s": %s', async ([error, line]) => {
    const { lines, progress } = watched();
    await expect(failingWith(error).run({ progress }, {})).rejects.toBe(error);
    expect(lines).toEqual([line]);
  });

  test('says nothing where no one watches', async () => {
    expect(await steps.run({ add, progress: silentProgress }, { count: 1 })).toBe(12);
  });
});
