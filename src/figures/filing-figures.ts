import { type CollectorChoice, chosenPlaces, ownPlaces } from '../filing/collector-rule.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { FiledBefore } from '../filing/registration.ts';
import {
  type FeeFigures,
  type JurisdictionFigures,
  type ReturnKind,
  returnKey,
  type StateFigures,
} from '../filing/state-figures.ts';
import type { DetailRow } from '../judge/detail-row.ts';
import type { JurisdictionTotals } from '../judge/period-totals.ts';
import { type Money, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { type FeeChoice, feeGatherer } from './fee-figures.ts';
import { addPart, emptySums, type ReturnSums, rowParts } from './return-sums.ts';

export type FilingFigures = ReturnType<typeof filingFigures>;

/** The seller's choices about the returns of a state. */
export type ReturnChoice = CollectorChoice & FeeChoice;

/** Sums rows of Detail into the figures of returns. Its memory grows with the number of places, not of sales. */
export const filingFigures = (choices: readonly ReturnChoice[], { last }: Pick<FilingPeriod, 'last'>) => {
  const byReturn = new Map<string, ReturnSums>();
  const law = loadFilingLaw();
  const fees = feeGatherer(law.fees, choices);
  const ownPlace = ownPlaces(law.collectors, choices, last);
  const sumsOf = (state: string, name: string): ReturnSums => byReturn.get(keyOf(state, name)) ?? emptySums();
  return {
    add: (row: DetailRow, sale: Sale): void => {
      if (!row.isPosted) return;
      fees.add(row, sale);
      for (const part of rowParts(row, ownPlace)) {
        const sums = sumsOf(row.state, part.place);
        byReturn.set(keyOf(row.state, part.place), sums);
        addPart(sums, part, sale);
      }
    },
    /**
     * Returns the figures of a state's returns: its own, those of self-collecting places, and those for fees alone.
     *
     * @param filedBefore the returns that these amend: each is among them, whatever its sales are now
     */
    of: (
      state: string,
      period: FilingPeriod,
      jurisdictions: readonly JurisdictionTotals[],
      filedBefore: readonly Pick<FiledBefore, 'kind' | 'name'>[] = [],
    ): readonly StateFigures[] => {
      const choice = choices.find((each) => each.state === state);
      const own = jurisdictions
        .filter((row) => row.state === state)
        .flatMap(levied)
        .map((row) => ({ row, place: ownPlace({ state, ...row }) ?? '' }));
      const amended = (of: ReturnKind): readonly string[] =>
        filedBefore.flatMap(({ kind, name }) => (kind === of ? name : []));
      // The last spelling of a name counts: a return that was filed keeps its own.
      const names = new Map(
        [...own.map(({ place }) => place), ...(choice ? chosenPlaces(choice) : []), ...amended('place')]
          .filter(Boolean)
          .map((place) => [keyOf(state, place), place]),
      );
      const due = fees.of(state);
      const figuresOf = (kind: ReturnKind, name: string, asked: readonly FeeFigures[]): StateFigures => ({
        state,
        kind,
        name,
        period,
        fees: asked,
        ...figuresIn(kind === 'fee' ? emptySums() : sumsOf(state, name)),
        jurisdictions:
          kind === 'fee'
            ? []
            : own.filter(({ place }) => keyOf(state, place) === keyOf(state, name)).map(({ row }) => row),
      });
      const forms = [
        ...new Set([...due.filter(isApart).map(({ rule }) => rule.return.form), ...amended('fee')]),
      ];
      return [
        figuresOf(
          'state',
          '',
          due.filter((fee) => !isApart(fee)),
        ),
        ...sorted(names).map((place) => figuresOf('place', place, [])),
        ...forms.map((form) =>
          figuresOf(
            'fee',
            form,
            due.filter((fee) => isApart(fee) && fee.rule.return.form === form),
          ),
        ),
      ];
    },
    /** Fees that are owed, but whose amount is not known. */
    unknownFees: fees.unknown,
    /** The sales that nexus thresholds may count differently from gross sales, whether or not the seller is registered. */
    counted: (state: string): CountedSales => {
      const { exempt, marketplace, transactions, marketplaceOrders } = sumsOf(state, '');
      return {
        exempt: sum([...exempt.values()].map(({ amount }) => amount)),
        resale: exempt.get('wholesale')?.amount ?? ZERO,
        marketplace,
        transactions,
        marketplaceOrders,
      };
    },
  };
};

const keyOf = (state: string, name: string): string => returnKey({ state, name: name.toUpperCase() });

const isApart = ({ rule }: FeeFigures): boolean => rule.return.own;

const figuresIn = ({ gapSales, gapTax, gapJurisdictions, exempt, places, ...sums }: ReturnSums) => {
  const { marketplaceOrders: _, ...figures } = sums;
  return {
    ...figures,
    gap: { sales: gapSales, tax: gapTax, jurisdictions: sorted(gapJurisdictions) },
    exempt: sorted(exempt),
    places: sorted(places),
  };
};

/** Returns what a body levies. Tax that only the shop charged is not on a return's schedule. */
const levied = ({ level, name, rate, taxable, tax }: JurisdictionTotals): readonly JurisdictionFigures[] =>
  level === 'other' || (taxable === ZERO && tax === ZERO) ? [] : [{ level, name, rate, taxable, tax }];

const sorted = <Value>(map: ReadonlyMap<string, Value>): readonly Value[] =>
  [...map].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);

/** The parts of gross sales that not every threshold counts. */
export type CountedSales = {
  /** Sales to exempt buyers, including resale. */
  readonly exempt: Money;
  readonly resale: Money;
  readonly marketplace: Money;
  /** Orders of which each counts once, however often it was corrected, and those of them on marketplaces. */
  readonly transactions: number;
  readonly marketplaceOrders: number;
};
