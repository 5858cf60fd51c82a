import type { TaxResult } from '../../../contract/tax-result.ts';
import type { Order, Refund } from '../../../contract/transaction.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { add, ZERO } from '../../../kernel/money.ts';
import { moneyOfPrice } from '../../../kernel/price.ts';
import { providerIn } from '../../evidence/derivation.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { LoggedSales, LogPieces, RecordedSum } from '../../evidence/logged.ts';
import type { Derivation } from '../../evidence/manifest.ts';
import { saleText } from '../../evidence/sale-text.ts';
import { postingOf, type Sale } from '../../sales/sale.ts';
import type { DetailedSale } from '../../workspace/detailed-sales.ts';
import type { StoredAlternative } from '../../workspace/expectation-of.ts';
import { byKey } from '../../workspace/sales-of.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { CalculationRow, SaleCalculationRow } from '../../workspace/tables.ts';
import type { ClosePorts } from '../close-ports.ts';
import { reliefDigests } from '../recompute/relief.ts';
import { derivationOf } from './derivation-of.ts';

/** Takes the lines of the logs of a period's evidence, in orders that do not depend on when things happened. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };

/** What the logs say about a page of sales, and what the service holds of them. */
export const loggedSales = async (ports: ClosePorts, page: readonly DetailedSale[]): Promise<LoggedSales> => {
  const derivation = derivationOf(ports);
  const posted = page.filter(isPosted);
  const open = posted.filter(({ filed }) => filed === undefined);
  const calculated = await calculatedRows(ports, keysOf(open));
  const sent = await submissionRows(ports, keysOf(open));
  const records = await recordRows(ports, posted, derivation);
  const asked = questionsOf(ports, open, calculated);
  const kept = await calculationRows(ports, [
    ...[...calculated.values()].flatMap(({ calculation }) => calculation ?? []),
    ...asked.map(({ digest }) => digest),
  ]);
  const sums = recordedSums();
  const lines = page.map((detailed) => {
    const { sale, filed, late, reconciled, figures } = detailed;
    const row = records.get(nameOf(sale, derivation));
    const recorded = row && { day: row.business_date, record: JSON.parse(row.body) as Order | Refund };
    if (recorded) sums.add(sale.channel, recorded);
    // What is filed, or takes back what is filed, stands as it was filed: no calculation of today proves it.
    const isFiled = filed !== undefined || (late?.takesBack ?? null) !== null;
    const digest = isFiled ? null : (calculated.get(sale.key)?.calculation ?? null);
    return saleText(
      {
        sale,
        isFiled,
        calculation: digest === null ? undefined : calculationOf(digest, kept),
        submission: sent.get(sale.key),
        recorded,
        reconciled,
        figures,
      },
      derivation,
    );
  });
  const questions = asked.flatMap((question) => questionLine(question, kept) ?? []);
  return { pieces: { sales: logPiece(lines), questions: logPiece(questions) }, recorded: sums.all() };
};

const isPosted = ({ sale }: DetailedSale): boolean => postingOf(sale) === 'posted';

const keysOf = (sales: readonly DetailedSale[]): readonly string[] => sales.map(({ sale }) => sale.key);

/** A record of the service by what identifies it there. */
const nameOf = (sale: Sale, derivation: Derivation): string =>
  `${providerIn(derivation, sale)}/${sale.kind}/${sale.id}`;

const recordedSums = () => {
  const sums = new Map<string, RecordedSum>();
  return {
    add: (
      channel: string,
      { day, record }: { readonly day: string; readonly record: Order | Refund },
    ): void => {
      const known = sums.get(`${day} ${channel}`) ?? { day, channel, records: 0, amount: ZERO, tax: ZERO };
      sums.set(`${day} ${channel}`, {
        ...known,
        records: known.records + 1,
        amount: add(known.amount, moneyOfPrice(record.amount)),
        tax: add(known.tax, moneyOfPrice(record.sales_tax)),
      });
    },
    all: (): readonly RecordedSum[] => [...sums.values()],
  };
};

const calculationOf = (digest: string, kept: ReadonlyMap<string, CalculationRow>) => {
  const row = kept.get(digest);
  if (!row) throw new DefectError(`the calculation ${digest} is not in the workspace`);
  return { digest, service: row.service, result: JSON.parse(row.result) as TaxResult };
};

type Question = Readonly<Record<'key' | 'code' | 'what' | 'digest', string>> & {
  /** What the exemption relieves: it is missing where the calls did not reach. */
  readonly isRelief: boolean;
};

/** What was asked with one thing changed. What exemptions relieve is there as far as it was asked for. */
const questionsOf = (
  ports: ClosePorts,
  open: readonly DetailedSale[],
  calculated: ReadonlyMap<string, SaleCalculationRow>,
): readonly Question[] => {
  const sales = open.map(({ sale }) => sale);
  const reliefs = reliefDigests(ports, sales);
  return sales.flatMap(({ key }) => {
    const row = calculated.get(key);
    if (!row) return [];
    const relief = reliefs.get(key);
    const asked = (JSON.parse(row.alternatives) as StoredAlternative[]).map(
      ({ code, what, calculation: digest }): Question => ({
        key,
        code,
        what,
        digest,
        isRelief: digest === relief,
      }),
    );
    if (relief === undefined || asked.some(({ isRelief }) => isRelief)) return asked;
    return [...asked, { key, code: 'R07', what: 'without the exemption', digest: relief, isRelief: true }];
  });
};

const questionLine = (
  { digest, isRelief, ...about }: Question,
  kept: ReadonlyMap<string, CalculationRow>,
): string | undefined => {
  const row = kept.get(digest);
  if (!row && isRelief) return undefined;
  if (!row) throw new DefectError(`the calculation ${digest} is not in the workspace`);
  const head = JSON.stringify({ ...about, digest, service: row.service });
  return `${head.slice(0, -1)},"request":${row.request},"result":${row.result}}`;
};

/** A record that the service gave back for the period, and that is of no sale. */
export const extraLine = (
  { provider, kind, id, business_date: day, body }: RecordedRow,
  channel: string,
): string => {
  const head = JSON.stringify({ channel, provider, kind, id, day });
  return `${head.slice(0, -1)},"record":${body}}`;
};

const calculatedRows = async ({ workspace: { tables, entity } }: ClosePorts, keys: readonly string[]) =>
  byKey(
    keys.length === 0
      ? []
      : await tables
          .selectFrom('sale_calculation')
          .selectAll()
          .where('entity', '=', entity)
          .where('key', 'in', keys)
          .execute(),
  );

const calculationRows = async ({ workspace: { tables } }: ClosePorts, digests: readonly string[]) => {
  if (digests.length === 0) return new Map<string, CalculationRow>();
  const rows = await tables
    .selectFrom('calculation')
    .selectAll()
    .where('digest', 'in', [...new Set(digests)])
    .execute();
  return new Map(rows.map((row) => [row.digest, row]));
};

/** What was sent for each sale, and how it ended, by the key of the sale. */
const submissionRows = async (
  { workspace: { tables, entity }, serviceName }: ClosePorts,
  keys: readonly string[],
) =>
  byKey(
    keys.length === 0
      ? []
      : await tables
          .selectFrom('submission')
          .select(['key', 'state', 'detail', 'body_digest as digest'])
          .where('entity', '=', entity)
          .where('service', '=', serviceName)
          .where('key', 'in', keys)
          .execute(),
  );

/** What the service gave back of these sales, by the name of the record. */
const recordRows = async (
  { workspace: { tables, entity }, serviceName }: ClosePorts,
  posted: readonly DetailedSale[],
  derivation: Derivation,
): Promise<ReadonlyMap<string, RecordedRow>> => {
  if (posted.length === 0) return new Map();
  const rows = await tables
    .selectFrom('recorded')
    .selectAll()
    .where('entity', '=', entity)
    .where('service', '=', serviceName)
    .where('provider', 'in', [...new Set(posted.map(({ sale }) => providerIn(derivation, sale)))])
    .where('kind', 'in', ['order', 'refund'])
    .where(
      'id',
      'in',
      posted.map(({ sale }) => sale.id),
    )
    .execute();
  return new Map(rows.map((row) => [`${row.provider}/${row.kind}/${row.id}`, row]));
};
