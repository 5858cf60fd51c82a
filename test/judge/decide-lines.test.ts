import { describe, expect, test } from 'vitest';
import { applyPolicy } from '../../src/judge/apply-policy.ts';
import { decideLines } from '../../src/judge/decide-lines.ts';
import { type Decision, decisionIndex } from '../../src/judge/decision.ts';
import { type Finding, finding } from '../../src/judge/finding.ts';

import { money } from '../../src/kernel/money.ts';
import { parsePeriod } from '../../src/kernel/period.ts';

const OCTOBER = parsePeriod('2026-10') ?? expect.fail('2026-10 is a period');

const draft = (
  code: string,
  record: string,
  more: Partial<Finding> & { readonly cents?: number } = {},
): Finding => {
  const { cents = 0, ...given } = more;
  return finding(code, `${code} of it`, {
    ...{ severity: 'warning', state: 'TX', effect: money(cents) },
    origin: { file: 'orders.csv', line: 2, record: `#${record}` },
    ...given,
  });
};

const HELD = { severity: 'error', held: 'sale' } as const;
const DRAFTS: readonly Finding[] = [
  draft('cancelled-but-paid', '1', { ...HELD, cents: 500 }),
  draft('refund-not-split', '2', { ...HELD, cents: -100, record: '2-refund' }),
  draft('refund-not-split', '3', { ...HELD, cents: -200, record: '3-refund' }),
  draft('R99', '4', { severity: 'error', cents: 7, tax: money(900) }),
  draft('R10', '5', { cents: 300 }),
  draft('R10', '6', { cents: 600 }),
  draft('R11', '7', { cents: -1000 }),
  draft('R16', '8', { severity: 'notice' }),
];

const decision = (given: Partial<Decision>): Decision => ({
  ...{
    period: '2026-10',
    code: '',
    cause: '',
    records: [],
    verdict: 'accept',
    why: 'because',
  },
  ...{ by: '', on: '', place: 'a.csv:2' },
  ...given,
});

const REASONS = [{ code: 'R10' }, { code: 'R11' }] as const;

const linesOf = (drafts: readonly Finding[], decisions: readonly Decision[] = []) =>
  decideLines({
    exceptions: applyPolicy(drafts, [], decisionIndex(decisions), OCTOBER),
    period: OCTOBER,
    reasons: REASONS,
  });

describe('the lines to decide', () => {
  test('are one a cause and place, band by band, with the largest effect first', () => {
    const lines = linesOf(DRAFTS);
    expect(lines.map(({ no, band, key, effect }) => [no, band, key, effect])).toEqual([
      ['D01', 'open', '2026-10 cancelled-but-paid of 1', 500],
      ['D02', 'open', '2026-10 refund-not-split in TX', -300],
      ['D03', 'open', '2026-10 R99 of 4 at 9.00', 7],
      ['D04', 'cause', '2026-10 R11 in TX', -1000],
      ['D05', 'cause', '2026-10 R10 in TX', 900],
    ]);
    expect(lines.map(({ records }) => records)).toEqual([
      ['1'],
      ['2-refund', '3-refund'],
      ['4'],
      ['7'],
      ['5', '6'],
    ]);
  });

  test('take a decision of a cause for all its records', () => {
    const remit = decision({ code: 'R10', cause: '2026-10 r10 in tx', verdict: 'remit' });
    const decided = linesOf(DRAFTS, [remit]).filter(({ band }) => band === 'decided');
    expect(decided.map(({ records, key, isWhole }) => [records, key, isWhole])).toEqual([
      [['5', '6'], '2026-10 R10 in TX', true],
    ]);
  });

  test('offer to remit what no return takes, and take it for records of the other sign', () => {
    const drafts = [draft('R10', '9', { cents: -50 }), ...DRAFTS];
    const [line] = linesOf(drafts).filter(({ code }) => code === 'R10');
    expect(line).toMatchObject({ effect: 850, choices: ['accept', 'remit'] });
    const remit = decision({ code: 'R10', cause: '2026-10 r10 in tx', verdict: 'remit' });
    const [decided] = linesOf(drafts, [remit]).filter(({ band }) => band === 'decided');
    expect(decided?.records).toEqual(['5', '6', '9']);
  });

  test.for([
    ['is wrong as it was', [-200, 200, -200], 1],
    ['is wrong no more', [200], 0],
    ['is wrong as another period filed it', [200, -200], 0],
    ['is wrong by more than another period filed', [200, -500], 1],
    ['is wrong by less than another period filed', [500, -200], 0],
  ] as const)('of a record that %s are one if its amounts do not cancel', ([, effects, count]) => {
    const drafts = effects.map((cents) =>
      draft('R11', `5-late-${cents}`, { cents, ...(cents > 0 && { reverses: true as const }) }),
    );
    const found = linesOf(drafts).map(({ effect }) => effect);
    expect(found).toEqual(count === 0 ? [] : [effects.reduce<number>((total, cents) => total + cents, 0)]);
  });
});

describe('a decision', () => {
  test.for([
    ['cancelled-but-paid', '1', 'split', '“Post”, “Keep out”, “Ignore”, “Accept”'],
    ['R10', '5', 'split', '“Accept”, “Remit”'],
    ['R99', '4', 'remit', '“Set by hand”, “Accept”'],
  ] as const)('about %s of %s cannot be %s', ([code, record, verdict, choices]) => {
    const unfit = decision({ code, records: [record], verdict });
    expect(() => applyPolicy(DRAFTS, [], decisionIndex([unfit]), OCTOBER)).toThrow(
      expect.objectContaining({ code: 'E_DECISION', nextStep: `Write one of ${choices}.` }),
    );
  });
});
