import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { type Random, seeded } from '../hostile/random.ts';

/** Time of the simulation: it passes only while everything waits, and then at once. */
export type SimulatedTime = {
  readonly nowMs: () => number;
  /** Since the last restart. */
  readonly elapsedMs: () => number;
  readonly pass: (milliseconds: number) => void;
  /** Begin a new history: no timer is pending, and chance begins with this seed. */
  readonly restart: (seed: number) => void;
  /** Give the process its own time back. */
  readonly end: () => void;
};

type Timer = { readonly dueMs: number; readonly number: number; readonly work: () => void };

const START_MS = Date.UTC(2026, 10, 2);

/**
 * Put a simulated time in the place of timers, of the clock of performance, and of chance. Timers fire in the order in
 * which they are due, one in each turn of the event loop, so the same seed has the same order of concurrent work.
 */
export const simulateTime = (): SimulatedTime => {
  const own = {
    setTimeout,
    clearTimeout,
    random: Math.random,
    now: performance.now,
    pause: timers.setTimeout,
  };
  const { setImmediate: nextTurn } = globalThis;
  let pending: Timer[] = [];
  let elapsedMs = 0;
  let number = 0;
  let isTurning = false;
  let chance: Random = seeded(0);

  const turn = (): void => {
    const next = pending.shift();
    if (next !== undefined) {
      elapsedMs = Math.max(elapsedMs, next.dueMs);
      next.work();
    }
    isTurning = pending.length > 0;
    if (isTurning) nextTurn(turn);
  };
  const later = (work: () => void, milliseconds = 0): Timer => {
    number += 1;
    const timer = { dueMs: elapsedMs + Math.max(1, Math.ceil(milliseconds)), number, work };
    const place = pending.findIndex(({ dueMs }) => dueMs > timer.dueMs);
    pending.splice(place < 0 ? pending.length : place, 0, timer);
    if (!isTurning) {
      isTurning = true;
      nextTurn(turn);
    }
    return timer;
  };
  const handleOf = (timer: Timer) => {
    const handle = { timer, ref: () => handle, unref: () => handle, hasRef: () => true };
    return handle;
  };
  type Handle = ReturnType<typeof handleOf>;

  Object.assign(globalThis, {
    setTimeout: (work: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) =>
      handleOf(later(() => work(...given), milliseconds)),
    clearTimeout: (handle: Handle | undefined) => {
      pending = pending.filter((timer) => timer !== handle?.timer);
    },
  });
  Math.random = () => chance.below(2 ** 31) / 2 ** 31;
  performance.now = () => elapsedMs;
  Object.assign(timers, {
    setTimeout: (milliseconds?: number, value?: unknown) =>
      new Promise((resolve) => later(() => resolve(value), milliseconds)),
  });
  syncBuiltinESMExports();

  return {
    nowMs: () => START_MS + elapsedMs,
    elapsedMs: () => elapsedMs,
    pass: (milliseconds) => {
      elapsedMs += milliseconds;
    },
    restart: (seed) => {
      pending = [];
      elapsedMs = 0;
      chance = seeded(seed);
    },
    end: () => {
      Object.assign(globalThis, { setTimeout: own.setTimeout, clearTimeout: own.clearTimeout });
      Object.assign(timers, { setTimeout: own.pause });
      Math.random = own.random;
      performance.now = own.now;
      syncBuiltinESMExports();
    },
  };
};
