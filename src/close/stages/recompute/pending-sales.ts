import type { TaxResult } from '../../../contract/tax-result.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { isExempting } from '../../certificates/exemption-reason.ts';
import {
  answersFor,
  type CalculatedSale,
  calculatedIn,
  resultsOf,
  type StoredAnswer,
} from '../../period-sales/expectation-of.ts';
import type { Sale } from '../../sales/sale.ts';
import { digestOfPage, type SalesPage, type StoredSale } from '../../workspace/sale-page.ts';
import { pageHead } from '../../workspace/stage-pages.ts';
import { isOfSameParts, pageInput } from '../inputs/page-input.ts';
import { type ClosePorts, isEmbedded } from '../run/close-ports.ts';
import { nothingDue } from './calculations.ts';

/** The state of a page: what is known, and what must still be calculated. */
export type PendingPage = {
  /** Digest of everything that the calculations of the page depend on. */
  readonly input: string;
  /** Whether the page is fully calculated in its present state. */
  readonly isDone: boolean;
  /** Posted sales of the page. */
  readonly count: number;
  /** The sales that have a calculation. The reversal of a filed record has that record's figures instead. */
  readonly sales: readonly StoredSale[];
  /** The sales that must be calculated: they are new or changed, were refused, or their answer contradicts itself. */
  readonly pending: readonly StoredSale[];
  /** Exempt sales for which the tax without the exemption is not calculated yet. */
  readonly unrelieved: readonly StoredSale[];
  /** The results of the others, by key. */
  readonly known: ReadonlyMap<string, CalculatedSale>;
};

export const pendingPage = async (ports: ClosePorts, page: SalesPage): Promise<PendingPage> => {
  const { workspace, recompute } = ports;
  const input = pageInput(ports, 'recompute', digestOfPage(page));
  const none = { input, sales: [], pending: [], unrelieved: [], known: new Map<string, CalculatedSale>() };
  const head = recompute ? undefined : await pageHead(workspace, 'calculated', page.slot);
  if (head?.input === input && head.open === 0 && isEmbedded(ports))
    return { ...none, isDone: true, count: page.content === undefined ? page.sales.length : head.rows };
  const count = page.sales.length;
  const sales = page.sales.filter(({ late }) => (late?.reversedFigures ?? null) === null);
  if (sales.length === 0) return { ...none, isDone: true, count };
  const known =
    head && isOfSameParts(head.input, input)
      ? await calculatedIn(workspace, page.slot)
      : new Map<string, CalculatedSale>();
  const sound = isEmbedded(ports)
    ? undefined
    : await resultsOf(
        workspace,
        [...known.values()].flatMap(answersFor).map(({ digest }) => digest),
      );
  const isKnown = ({ sale, digest }: StoredSale): boolean => {
    const row = known.get(sale.key);
    if (row?.sale !== digest || row.basis === 'refused') return false;
    return sound === undefined || answersFor(row).every((stored) => isAnswered(stored, sound));
  };
  const pending = sales.filter((stored) => !isKnown(stored));
  return {
    input,
    count,
    isDone: head?.input === input && pending.length === 0 && unrelievedOf(ports, sales, known).length === 0,
    sales,
    pending,
    unrelieved: unrelievedOf(ports, sales, known),
    known,
  };
};

/** Compares digests, because the same request may have been repeated since for a sale of another period. */
const isAnswered = ({ digest, answer }: StoredAnswer, results: ReadonlyMap<string, TaxResult>): boolean => {
  const result = results.get(digest);
  return result !== undefined && digestOf(result) === answer;
};

const unrelievedOf = (
  ports: ClosePorts,
  sales: readonly StoredSale[],
  known: ReadonlyMap<string, CalculatedSale>,
): readonly StoredSale[] =>
  sales.filter(({ sale, digest }) => {
    const row = known.get(sale.key);
    return isRelieved(ports, sale) && (row?.sale !== digest || row.relief === undefined);
  });

/** Whether tax would be due on a sale if it were not exempt. */
export const isRelieved = (ports: ClosePorts, sale: Sale): boolean =>
  isExempting(sale.exemptionType) && nothingDue(ports, sale) === undefined;

/** Whether the next run must process a row again. */
export const isOpenRow = (ports: ClosePorts, sale: Sale, row: CalculatedSale): boolean =>
  row.basis === 'refused' || (row.relief === undefined && isRelieved(ports, sale));
