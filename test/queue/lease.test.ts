import { describe, expect, it } from 'vitest';
import { leaseOf } from '../../src/queue/lease.ts';

const SECONDS = 10;
const ago = (milliseconds: number) => performance.now() - milliseconds;
const lost = expect.objectContaining({ code: 'E_BATCH_LOST' });

describe('the right to work on a batch', () => {
  it('lasts while the queue hears of the worker in time', () => {
    const lease = leaseOf(SECONDS, ago(7_000));
    expect(lease.check).not.toThrow();
    lease.renewed(ago(1_000));
    expect(lease.check).not.toThrow();
  });

  it('is over before the time is over behind which somebody else may have it', () => {
    expect(leaseOf(SECONDS, ago(9_000)).check).toThrow(lost);
    const slept = leaseOf(SECONDS, ago(60_000));
    expect(slept.check).toThrow(lost);
  });

  it('does not come back with a word that was long under way', () => {
    const lease = leaseOf(SECONDS, ago(20_000));
    lease.renewed(ago(15_000));
    expect(lease.check).toThrow(lost);
  });

  it('is over at once when the queue says so', () => {
    const lease = leaseOf(SECONDS, ago(0));
    lease.lost();
    expect(lease.check).toThrow(lost);
    lease.renewed(ago(0));
    expect(lease.check).toThrow(lost);
  });
});
