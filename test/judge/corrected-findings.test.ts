import { describe, expect, test } from 'vitest';
import { type Finding, finding } from '../../src/judge/finding.ts';
import { correctedFindings } from '../../src/judge/period-findings.ts';
import { money, sum, ZERO_RATE } from '../../src/kernel/money.ts';
import { nameOfKey } from '../../src/sales/sale-name.ts';

/** An exception of a sale: its reason, and its effect in cents. */
type Said = readonly [code: string, effect: number, more?: Partial<Finding>];

const [FIRST, BACK, AGAIN] = ['web/order/5', 'web/refund/5-late-1-reversal', 'web/order/5-late-1'];
const [BACK_TWICE, LAST] = ['web/refund/5-late-2-reversal', 'web/order/5-late-2'];

const draftsOf = (key: string, said: readonly Said[]): readonly Finding[] =>
  said.map(([code, effect, more]) =>
    finding(code, 'found', {
      ...{ severity: 'warning', effect: money(effect), state: 'CA' },
      ...{ origin: { file: 'orders.csv', line: 2, record: '#5' }, record: nameOfKey(key).id, ...more },
    }),
  );

/** What is left of the exceptions of some sales, with all of their effects added up as they were. */
const left = (sales: Readonly<Record<string, readonly Said[]>>, records = ['web/order/5']) => {
  const findings = correctedFindings(new Set(records));
  const all = Object.entries(sales).map(([key, said]) => ({ key, drafts: draftsOf(key, said) }));
  const drafts = [...all.flatMap(findings.see), ...findings.judged()];
  const before = all.flatMap((each) => each.drafts);
  expect(sum(drafts.map(({ effect }) => effect))).toBe(sum(before.map(({ effect }) => effect)));
  return drafts;
};

const shown = (drafts: readonly Finding[]): readonly string[] =>
  drafts.map(({ severity, code, record, effect }) => `${severity} ${code} ${record} ${effect}`).sort();

describe('where a period corrects a record that another one filed', () => {
  test('what was wrong and is not any more is taken back, and asks for nothing', () => {
    const drafts = left({ [BACK]: [['R02', 200]], [AGAIN]: [] });
    expect(shown(drafts)).toEqual(['notice reversed 5-late-1-reversal 200']);
    expect(drafts[0]?.message).toBe('R02 of -2.00 was filed and is reversed: found');
    expect(shown(left({ [BACK]: [['R10', -1_075]] }))).toEqual(['notice reversed 5-late-1-reversal -1075']);
  });

  test('what is wrong as it was is not asked about again', () => {
    expect(shown(left({ [BACK]: [['R10', -1_075]], [AGAIN]: [['R10', 1_075]] }))).toEqual([
      'notice filed-before 5-late-1 1075',
      'notice reversed 5-late-1-reversal -1075',
    ]);
  });

  test.for([
    ['more is wrong', -200, -500, ['warning R02 5-late-1 -300', 'notice filed-before 5-late-1 -200']],
    ['less is wrong', -500, -200, ['notice filed-before 5-late-1 -200']],
    ['the opposite is wrong', -200, 100, ['warning R02 5-late-1 100']],
  ] as const)('only the difference is asked about: %s', ([, filed, now, said]) => {
    expect(shown(left({ [BACK]: [['R02', -filed]], [AGAIN]: [['R02', now]] }))).toEqual(
      [`notice reversed 5-late-1-reversal ${-filed}`, ...said].sort(),
    );
  });

  test('the message says how much of it was filed', () => {
    const [more] = left({ [BACK]: [['R02', 200]], [AGAIN]: [['R02', -500]] });
    expect(more?.message).toBe('found; variance -5.00, of which -2.00 was filed before');
  });

  test('another reason is asked about in full', () => {
    const filed: readonly Said[] = [
      ['R02', 200],
      ['R06', 100],
    ];
    const now: readonly Said[] = [
      ['R11', -250],
      ['R06', -100],
    ];
    expect(shown(left({ [BACK]: filed, [AGAIN]: now }))).toEqual([
      'notice filed-before 5-late-1 -100',
      'notice reversed 5-late-1-reversal 100',
      'notice reversed 5-late-1-reversal 200',
      'warning R11 5-late-1 -250',
    ]);
  });

  test('a missing rate, another state and another sale are apart', () => {
    const gap = left({ [BACK]: [['R26', -200]], [AGAIN]: [['R02', 200]] });
    expect(shown(gap)).toContain('warning R02 5-late-1 200');
    const moved = left({ [BACK]: [['R02', -200]], [AGAIN]: [['R02', 200, { state: 'WA' }]] });
    expect(shown(moved)).toContain('warning R02 5-late-1 200');
    const other = left({ [BACK]: [['R02', -200]], 'web/order/6': [['R02', 200]] });
    expect(shown(other)).toContain('warning R02 6 200');
  });

  test('a missing rate is that of its place, with whatever proof', () => {
    const at = (where: string): Partial<Finding> => ({
      shared: { where, shop: null, own: ZERO_RATE },
    });
    const filed: readonly Said[] = [['R27', -200, at('Oakland')]];
    const same = left({ [BACK]: filed, [AGAIN]: [['R26', 200, at('OAKLAND')]] });
    expect(shown(same)).toContain('notice filed-before 5-late-1 200');
    const other = left({ [BACK]: filed, [AGAIN]: [['R27', 200, at('Fresno')]] });
    expect(shown(other)).toContain('warning R27 5-late-1 200');
  });

  test('what is unexplained, set by hand, of the edge of a period or a finding stays as it is', () => {
    const said: readonly Said[] = [
      ['R99', 200, { severity: 'error' }],
      ['R23', 100],
      ['R16', 50],
      ['R18', 0],
    ];
    expect(shown(left({ [BACK]: said }))).toEqual([
      'error R99 5-late-1-reversal 200',
      'warning R16 5-late-1-reversal 50',
      'warning R18 5-late-1-reversal 0',
      'warning R23 5-late-1-reversal 100',
    ]);
  });

  test('a correction of a correction is judged against what another period filed', () => {
    const sales = {
      [BACK]: [['R02', 200]],
      [AGAIN]: [['R02', -300]],
      [BACK_TWICE]: [['R02', 300]],
      [LAST]: [['R02', -200]],
    } as const;
    expect(shown(left(sales))).toEqual([
      'notice filed-before 5-late-2 -200',
      'notice reversed 5-late-1 -300',
      'notice reversed 5-late-1-reversal 200',
      'notice reversed 5-late-2-reversal 300',
    ]);
  });
});

describe('where a period has the filed version, too', () => {
  test('it is taken back with its reversal, and the new version is asked about in full', () => {
    const sales = { [FIRST]: [['R02', -200]], [BACK]: [['R02', 200]], [AGAIN]: [['R02', -200]] } as const;
    expect(shown(left(sales))).toEqual([
      'notice reversed 5 -200',
      'notice reversed 5-late-1-reversal 200',
      'warning R02 5-late-1 -200',
    ]);
  });

  test('but not the version that the reversal takes back, it stays as it is', () => {
    const sales = {
      [FIRST]: [['R02', -200]],
      [BACK_TWICE]: [['R02', 300]],
      [LAST]: [['R02', -400]],
    } as const;
    expect(shown(left(sales))).toEqual([
      'notice filed-before 5-late-2 -300',
      'notice reversed 5-late-2-reversal 300',
      'warning R02 5 -200',
      'warning R02 5-late-2 -100',
    ]);
  });

  test('a record that the shop calls like a correction is one of its own', () => {
    const own = 'web/order/5-late-1';
    const sales = { [own]: [['R02', -200]], 'web/refund/5-late-1-late-1-reversal': [['R02', 200]] } as const;
    expect(shown(left(sales, [own]))).toEqual([
      'notice reversed 5-late-1 -200',
      'notice reversed 5-late-1-late-1-reversal 200',
    ]);
  });
});

test('a late record that the shop calls like a correction is not the new version of a withdrawn one', () => {
  const records = ['web/order/5', AGAIN];
  expect(shown(left({ [BACK]: [['R02', 200]], [AGAIN]: [['R02', -200]] }, records))).toEqual([
    'notice reversed 5-late-1-reversal 200',
    'warning R02 5-late-1 -200',
  ]);
});

test('records that are not corrected are left as they are, also new ones that came late', () => {
  const sales = { [FIRST]: [['R02', -200]], 'web/order/6': [['R11', -100]] } as const;
  const asked = ['warning R02 5 -200', 'warning R11 6 -100'];
  expect(shown(left(sales, []))).toEqual(asked);
  expect(shown(left(sales)).toSorted()).toEqual(asked);
});
