import { describe, expect, test } from 'vitest';
import { DefectError, TieoutError } from '../../src/kernel/errors.ts';

describe('a designed error', () => {
  test('says what is wrong, what to do about it, and what it came from', () => {
    const cause = new Error('ENOENT');
    const error = new TieoutError({
      code: 'E_EXPORT_DAMAGED',
      message: 'orders.csv:7: the total is blank',
      nextStep: 'Export the file again.',
      details: { line: 7 },
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'TieoutError',
      code: 'E_EXPORT_DAMAGED',
      recovery: 'fix-input',
      message: 'orders.csv:7: the total is blank',
      nextStep: 'Export the file again.',
      details: { line: 7 },
    });
    expect(error.cause).toBe(cause);
  });

  test('has no cause and no details unless it was given some', () => {
    const error = new TieoutError({ code: 'E_RUN_LOCKED', message: 'm', nextStep: 'n' });
    expect('cause' in error).toBe(false);
    expect(error.details).toEqual({});
  });

  test('that is a defect of the program asks to be reported', () => {
    const error = new DefectError('3.5 is not a whole number of cents', { cents: 3.5 });
    expect(error).toMatchObject({
      name: 'DefectError',
      code: 'E_DEFECT',
      recovery: 'defect',
      nextStep: 'This is a defect in Tieout: please report it with the command you ran.',
      details: { cents: 3.5 },
    });
  });
});
