import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxRequestInput } from '../../contract/tax-request.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import { digestOf, type Json } from '../../kernel/digest.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { type Alternative, explainVariance, isUnexplained } from '../reconcile/explain-variance.ts';
import { whatIfsOf } from '../reconcile/what-ifs.ts';
import type { Sale } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/tax-request-of.ts';
import { resultsOf } from '../workspace/expectation-of.ts';
import { byKey, postedSalesOf, type StoredSale } from '../workspace/sales-of.ts';
import type { CalculationRow, SaleCalculationRow } from '../workspace/tables.ts';
import type { Advanced, ClosePorts } from './close-ports.ts';

export type RecomputeFigures = {
  readonly asked: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
};

/**
 * Ask the service what tax each posted sale of the period should have carried, as of its day. Equal requests are
 * asked once, answers are kept, and a destination without a registration is not asked for at all. A refusal is a
 * finding about its sale; an outage stops the stage, which goes on where it was.
 */
export const recomputeTax = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<RecomputeFigures>> => {
  const context = contextOf(ports);
  const total = { asked: 0, known: 0, skipped: 0, refused: 0 };
  let done = 0;
  for await (const page of postedSalesOf(ports.workspace, period)) {
    const pending = await pendingOf(ports, page, context);
    total.known += page.length - pending.length;
    await recomputePage(ports, pending, context, total);
    done += page.length;
    advanced(done);
  }
  const summary = `${total.asked} asked, ${total.known} known, ${total.skipped} skipped without a registration`;
  return { value: total, summary: total.refused > 0 ? `${summary}, ${total.refused} refused` : summary };
};

type Totals = { asked: number; known: number; skipped: number; refused: number };

/** What a calculation depends on beside its sale. */
const contextOf = ({ configuration, serviceId }: ClosePorts): string =>
  digestOf({
    service: serviceId,
    shipFrom: configuration.shipFrom,
    registrations: configuration.registrations.map(({ state, since }) => `${state} ${since}`),
  });

const pendingOf = async (
  { workspace }: ClosePorts,
  page: readonly StoredSale[],
  context: string,
): Promise<readonly StoredSale[]> => {
  if (page.length === 0) return [];
  const rows = await workspace.tables
    .selectFrom('sale_calculation')
    .select(['key', 'sale_digest', 'context', 'basis'])
    .where('entity', '=', workspace.entity)
    .where(
      'key',
      'in',
      page.map(({ sale }) => sale.key),
    )
    .execute();
  const known = byKey(rows);
  return page.filter(({ sale, digest }) => {
    const row = known.get(sale.key);
    return row?.sale_digest !== digest || row.context !== context || row.basis === 'refused';
  });
};

const recomputePage = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
  context: string,
  total: Totals,
): Promise<void> => {
  const { workspace } = ports;
  const registered = page.map(({ sale }) => sale).filter((sale) => isRegistered(ports, sale));
  const answers = await answersTo(ports, registered, total);
  const alternatives = await askAlternatives(ports, registered, answers, total);

  const rows = page.map(({ sale, digest }): SaleCalculationRow => {
    const common = {
      entity: workspace.entity,
      key: sale.key,
      sale_digest: digest,
      context,
      alternatives: '[]',
    };
    if (!isRegistered(ports, sale)) {
      total.skipped += 1;
      return { ...common, basis: 'no registration', detail: '', calculation: null };
    }
    const request = digestOfRequest(ports, sale);
    const answer = answers.get(request);
    if (answer instanceof ServiceRefusal) {
      total.refused += 1;
      return { ...common, basis: 'refused', detail: answer.message, calculation: null };
    }
    const kept = (alternatives.get(sale.key) ?? []).map(({ code, what, calculation }) => ({
      code,
      what,
      calculation,
    }));
    return {
      ...common,
      basis: 'calculated',
      detail: '',
      calculation: request,
      alternatives: JSON.stringify(kept),
    };
  });
  await workspace.upsert('sale_calculation', rows);
};

type Asked = Alternative & { readonly calculation: string };

/** Ask again with one thing changed, a thing at a time, for the sales whose variance nothing explains so far. */
const askAlternatives = async (
  ports: ClosePorts,
  sales: readonly Sale[],
  answers: Answers,
  total: Totals,
): Promise<ReadonlyMap<string, readonly Asked[]>> => {
  const asked = new Map<string, Asked[]>();
  for (let turn = 0; ; turn += 1) {
    const next = sales.flatMap((sale) => {
      const [whatIf] = whatIfsOf(sale).slice(turn, turn + 1);
      return whatIf && needsMore(ports, sale, answers, asked.get(sale.key) ?? []) ? [{ sale, whatIf }] : [];
    });
    if (next.length === 0) return asked;
    const results = await answersTo(
      ports,
      next.map(({ whatIf }) => whatIf.sale),
      total,
    );
    for (const { sale, whatIf } of next) {
      const calculation = digestOfRequest(ports, whatIf.sale);
      const result = results.get(calculation);
      if (result === undefined || result instanceof ServiceRefusal) continue;
      const { code, what } = whatIf;
      asked.set(sale.key, [...(asked.get(sale.key) ?? []), { code, what, result, calculation }]);
    }
  }
};

const needsMore = (
  ports: ClosePorts,
  sale: Sale,
  answers: Answers,
  alternatives: readonly Alternative[],
): boolean => {
  const expectation = answers.get(digestOfRequest(ports, sale));
  if (expectation === undefined || expectation instanceof ServiceRefusal) return false;
  return isUnexplained(
    explainVariance({ collected: sale.salesTax, shipping: sale.shipping, expectation, alternatives }),
  );
};

const isRegistered = ({ configuration }: ClosePorts, sale: Sale): boolean =>
  configuration.registrations.some(
    ({ state, since }) => state === sale.shipTo.state && since <= sale.taxDate,
  );

const requestOf = (
  { configuration, serviceId }: ClosePorts,
  sale: Sale,
): { readonly service: string; readonly request: TaxRequestInput } => ({
  service: serviceId,
  request: taxRequestOf(sale, configuration.shipFrom),
});

const digestOfRequest = (ports: ClosePorts, sale: Sale): string => digestOf(requestOf(ports, sale) as Json);

/** Answers by the digest of their request. */
type Answers = ReadonlyMap<string, TaxResult | ServiceRefusal>;

/** The answers to the requests of these sales by request digest: from the workspace, or asked now and kept. */
const answersTo = async (ports: ClosePorts, sales: readonly Sale[], total: Totals): Promise<Answers> => {
  const requests = new Map(
    sales.map((sale) => [digestOfRequest(ports, sale), requestOf(ports, sale).request]),
  );
  const answers = new Map<string, TaxResult | ServiceRefusal>(
    await resultsOf(ports.workspace, [...requests.keys()]),
  );
  const missing = [...requests].filter(([digest]) => !answers.has(digest));
  const asked = await inParallel(
    missing,
    ports.configuration.service.concurrency,
    async ([digest, request]) => {
      try {
        return { digest, request, answer: await ports.service.calculateTax(request) };
      } catch (error) {
        if (error instanceof ServiceRefusal) return { digest, request, answer: error };
        throw error;
      }
    },
  );
  total.asked += asked.length;
  total.known += sales.length - asked.length;
  const kept = asked.flatMap(({ digest, request, answer }): CalculationRow[] =>
    answer instanceof ServiceRefusal
      ? []
      : [
          {
            digest,
            service: ports.serviceId,
            request: JSON.stringify(request),
            result: JSON.stringify(answer),
          },
        ],
  );
  await ports.workspace.upsert('calculation', kept);
  for (const { digest, answer } of asked) answers.set(digest, answer);
  return answers;
};
