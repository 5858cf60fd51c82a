import { describe, expect, test } from 'vitest';
import { changedPart, changedParts } from '../../src/kernel/parts.ts';

const MADE = { program: 'a', configuration: 'b', figures: 'c' };

const neverAsked = (): Promise<string> => Promise.reject(new Error('no one needs it'));

describe('parts', () => {
  test('are current while those that are asked for are what they were', async () => {
    const now = { ...MADE, program: 'z', figures: async () => 'c' };
    expect(await changedPart(MADE, now, ['configuration', 'figures'])).toBeUndefined();
    expect(await changedParts(MADE, now, ['figures'])).toEqual([]);
  });

  test('are named in the order in which they are asked for, and what stands behind the first is not worked out', async () => {
    const now = { program: 'z', configuration: 'y', figures: neverAsked };
    expect(await changedPart(MADE, now, ['configuration', 'program', 'figures'])).toBe('configuration');
    expect(await changedParts(MADE, now, ['program', 'configuration'])).toEqual(['program', 'configuration']);
    await expect(changedPart(MADE, { ...now, program: 'a' }, ['program', 'figures'])).rejects.toThrow(
      'no one needs it',
    );
  });

  test('that were never kept are others', async () => {
    const kept: Partial<typeof MADE> = { program: 'a' };
    expect(await changedPart(kept as typeof MADE, MADE, ['program', 'figures'])).toBe('figures');
  });
});
