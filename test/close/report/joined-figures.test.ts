import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filingFigures } from '../../../src/close/figures/filing-figures.ts';
import type { DetailRow } from '../../../src/close/reconcile/detail-row.ts';
import { channelTotals } from '../../../src/close/reconcile/expected-totals.ts';
import { impliedRateTotals } from '../../../src/close/reconcile/implied-rate-totals.ts';
import {
  addRow,
  emptyTotals,
  inKeyOrder,
  joinTotals,
  keptTotals,
} from '../../../src/close/reconcile/period-totals.ts';
import type { SharedRate } from '../../../src/close/reconcile/rate-claim.ts';
import { differenceGatherer } from '../../../src/close/reconcile/record-differences.ts';
import { sampler } from '../../../src/close/reconcile/sampling.ts';
import type { Sale } from '../../../src/close/sales/sale.ts';
import { money } from '../../../src/kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../../src/kernel/period.ts';
import { rate } from '../../../src/kernel/rate.ts';
import { setDigest } from '../../../src/kernel/set-digest.ts';
import { rowOf } from '../reconcile/detail-rows.ts';
import { anySale } from '../sales/sale-of.ts';

const PERIOD = parsePeriod('2026-10') as FilingPeriod;
const PLAN = { seed: 'a seed', perStratum: 2, monetaryUnits: 3 };
const DIFFERENCE = { field: 'to_city', sent: 'Austin', recorded: 'AUSTIN' } as const;

const SHARED: Omit<SharedRate, 'where'> = {
  ...{ scope: 'place', shop: rate(200_000), own: rate(0), by: 'agreement', base: 'law', chance: 1 },
};

type Given = { readonly sale: Sale; readonly row: DetailRow };

/** Orders and refunds of several states and channels: with a delivery fee of Colorado, exempt, with a rate that others share. */
const anyGiven: fc.Arbitrary<readonly Given[]> = fc
  .array(
    fc.record({
      sale: anySale,
      kind: fc.constantFrom('order' as const, 'refund' as const),
      state: fc.constantFrom('CA', 'CO', 'AL'),
      channel: fc.constantFrom('shop', 'market'),
      exemptionType: fc.constantFrom(null, 'wholesale' as const, 'marketplace' as const),
      city: fc.constantFrom('Austin', 'Boulder', 'Mobile'),
      isShared: fc.boolean(),
      code: fc.constantFrom('R02' as const, 'R27' as const),
    }),
    { maxLength: 14 },
  )
  .map((all) =>
    all.map(({ sale, kind, state, channel, exemptionType, city, isShared, code }, index) => {
      const key = `${channel}/${kind}/${index}`;
      const shipTo = { ...sale.shipTo, state, city };
      const own: Sale = { ...sale, key, id: String(index), kind, channel, exemptionType, shipTo };
      const reasons = [{ code, amount: money(125), proof: 'a proof' }];
      const row = rowOf(own, isShared ? { shared: { ...SHARED, where: city }, reasons } : {});
      return { sale: own, row };
    }),
  );

const gatherers = () => ({
  totals: emptyTotals(),
  implied: impliedRateTotals(),
  channels: channelTotals(PERIOD),
  differences: differenceGatherer(),
  sample: sampler(PLAN),
  filing: filingFigures([], PERIOD),
  digest: setDigest(),
});

const add = (to: ReturnType<typeof gatherers>, { sale, row }: Given): void => {
  addRow(to.totals, row);
  to.implied.add(row);
  to.channels.add(row, sale);
  to.differences.add(row, [{ ...DIFFERENCE, kind: row.gross % 2 === 0 ? 'format' : 'value' }]);
  to.sample.add(row);
  to.filing.add(row, sale);
  to.digest.add(row.key);
};

const keptOf = (of: ReturnType<typeof gatherers>) => ({
  totals: keptTotals(of.totals),
  implied: of.implied.kept(),
  channels: of.channels.kept(),
  differences: of.differences.kept(),
  sample: of.sample.kept(),
  filing: of.filing.kept(),
  digest: of.digest.hex(),
});

const saidBy = (gathered: ReturnType<typeof gatherers>, rows: readonly DetailRow[]) => {
  const { totals, implied, channels, differences, sample, filing, digest } = gathered;
  const jurisdictions = inKeyOrder(totals.jurisdictions);
  const { rows: count, states, reasons, stateReasons, days } = totals;
  return {
    count,
    jurisdictions,
    totals: [states, reasons, stateReasons, days].map((each) => inKeyOrder<unknown>(each)),
    implied: implied.all(),
    channels: channels.compared(
      ['shop', 'market'].map((channel) => ({
        channel,
        orders: 0,
        refunds: 0,
        gross: money(0),
        tax: money(0),
      })),
    ),
    differences: differences.all(),
    draws: sample.drawn(new Map(rows.map((row) => [row.key, row]))),
    returns: ['CA', 'CO', 'AL'].map((state) => filing.of(state, PERIOD, jurisdictions)),
    fees: filing.unknownFees(),
    digest: digest.hex(),
  };
};

describe('what pages come to, joined', () => {
  test('is what all of their sales come to, wherever the pages are cut', () => {
    fc.assert(
      fc.property(anyGiven, fc.integer({ min: 1, max: 5 }), (sales, size) => {
        const whole = gatherers();
        for (const each of sales) add(whole, each);
        const joined = gatherers();
        for (let start = 0; start < sales.length; start += size) {
          const page = gatherers();
          for (const each of sales.slice(start, start + size)) add(page, each);
          const kept = JSON.parse(JSON.stringify(keptOf(page))) as ReturnType<typeof keptOf>;
          joinTotals(joined.totals, kept.totals);
          joined.implied.join(kept.implied);
          joined.channels.join(kept.channels);
          joined.differences.join(kept.differences);
          joined.sample.join(kept.sample, String(start));
          joined.filing.join(kept.filing);
          joined.digest.join(kept.digest);
        }
        const rows = sales.map(({ row }) => row);
        expect(saidBy(joined, rows)).toEqual(saidBy(whole, rows));
      }),
    );
  });
});

test('the digest of a set does not depend on the order, and tells a text that is there twice', () => {
  const digestOf = (...texts: readonly string[]): string => {
    const digest = setDigest();
    for (const text of texts) digest.add(text);
    return digest.hex();
  };
  expect(digestOf('a', 'b', 'c')).toBe(digestOf('c', 'a', 'b'));
  expect(digestOf('a', 'b')).not.toBe(digestOf('a', 'b', 'b'));
  expect(digestOf('ab')).not.toBe(digestOf('a', 'b'));
  expect(digestOf()).toHaveLength(64);
});
