import { describe, expect, test } from 'vitest';
import { formatInstant } from '../../src/kernel/calendar.ts';
import { zoneClock } from '../../src/kernel/time-zones.ts';

const shown = (zone: string, wall: string) => formatInstant(zoneClock(zone)(Date.parse(`${wall}Z`)));

describe('the instant at which a clock on the wall shows a time', () => {
  test.for([
    ['America/Los_Angeles', '2026-10-31T23:30:00', '2026-11-01T06:30:00.000Z', 'in summer time'],
    ['America/Los_Angeles', '2026-12-01T00:00:00', '2026-12-01T08:00:00.000Z', 'in winter time'],
    ['America/Los_Angeles', '2026-11-01T01:30:00', '2026-11-01T08:30:00.000Z', 'shown twice: the first'],
    [
      'America/Los_Angeles',
      '2026-11-01T02:00:00',
      '2026-11-01T10:00:00.000Z',
      'the first that is shown once again',
    ],
    ['America/Los_Angeles', '2026-03-08T02:30:00', '2026-03-08T10:30:00.000Z', 'never shown: an hour later'],
    ['America/Phoenix', '2026-07-01T12:00:00', '2026-07-01T19:00:00.000Z', 'without summer time'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z', 'shown twice, east of Greenwich'],
  ] as const)('%s %s is %s: %s', ([zone, wall, at]) => {
    expect(shown(zone, wall)).toBe(at);
  });

  test('needs a zone that exists', () => {
    expect(() => zoneClock('Mars/Olympus')).toThrow('is not an IANA time zone');
  });
});
