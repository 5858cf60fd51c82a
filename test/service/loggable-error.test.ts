import { describe, expect, it } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { loggableError } from '../../src/service/refusals.ts';

const SECRET = '1685 Main Street';

describe('an error in the log', () => {
  it('of a database keeps its kind, code and place, and loses the row that it carries', () => {
    const error = Object.assign(new Error(`duplicate key: ${SECRET}`), {
      code: '23505',
      detail: `Key (to_street)=(${SECRET}) already exists.`,
      parameters: [SECRET],
    });
    const logged = loggableError(new Error(`a request failed for ${SECRET}`, { cause: error }));
    expect(JSON.stringify(logged)).not.toContain(SECRET);
    expect(logged).toMatchObject({ type: 'Error', cause: { type: 'Error', code: '23505' } });
    expect((logged as { stack: string[] }).stack[0]).toContain('loggable-error.test.ts');
  });

  it('of ours keeps its message and its next step, which were written to be read', () => {
    expect(loggableError(new ServiceRefusal(503, 'the service is overloaded'))).toMatchObject({
      code: 'E_SERVICE_REFUSED',
      message: expect.stringContaining('overloaded'),
      nextStep: expect.stringContaining('Correct the record'),
    });
  });

  it('that is not an error at all is only said to be one', () => {
    expect(loggableError(SECRET)).toEqual({ type: 'string' });
  });
});
