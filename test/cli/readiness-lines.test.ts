import { expect, test } from 'vitest';
import { readinessLines } from '../../src/cli/readiness-lines.ts';
import { type Exception, isOpen } from '../../src/close/reconcile/exceptions.ts';
import { readinessOf } from '../../src/close/reconcile/readiness.ts';
import { money, ZERO } from '../../src/kernel/money.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import { rate } from '../../src/kernel/rate.ts';

const period = parsePeriod('2026-10');
if (!period) throw new Error('no period');

const exception = (code: string, record: string, more: Partial<Exception> = {}): Exception => ({
  ...{ severity: 'error', code, record, message: `${code} of ${record}`, state: 'CO', effect: money(125) },
  ...{ accepted: '', origin: { file: 'orders.csv', line: 2, record } },
  ...more,
});
const gapIn = (where: string): Exception =>
  exception('R26', `#${where}`, {
    severity: 'warning',
    shared: { where, scope: 'place', shop: null, own: rate(0), by: 'lines', base: 'law', chance: 0 },
  });

test('a command stands in the to-do of missing rates once for all places, as a mail needs it, and no way to decide is repeated', () => {
  const exceptions = [
    gapIn('AURORA'),
    gapIn('GOLDEN'),
    exception('bad-cell', '#1'),
    exception('cell-count', '#2'),
  ];
  expect(exceptions.filter(isOpen)).toHaveLength(2);
  const readiness = readinessOf({ period, exceptions, unexplained: ZERO, tolerance: ZERO, failedTests: [] });
  const lines = readinessLines(readiness, ' --config /srv/shop/tieout.yaml');
  expect(lines).toContain('  open bad-cell #1 +1.25: bad-cell of #1');
  expect(lines.filter((line) => line.startsWith('  to do'))).toEqual([
    '  to do for bad-cell, cell-count: Correct the record in the shop or the file, export again and close again.',
    '  to do for missing rates: Is the rate of the shop right? Then run `tieout content suggest 2026-10 --config /srv/shop/tieout.yaml`, import the rate and close again.',
  ]);
});
