import type { TaxResult } from '../../../contract/tax-result.ts';
import { wireSent } from '../../../contract/wire-transaction.ts';
import type { Json } from '../../../kernel/digest.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { LoggedSubmission, LogPieces } from '../../evidence/logged.ts';
import { postingOf } from '../../sales/sale.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import type { DetailedSale } from '../../workspace/detailed-sales.ts';
import type { StoredAlternative } from '../../workspace/expectation-of.ts';
import { byKey, type StoredSale } from '../../workspace/sales-of.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { CalculationRow, SaleCalculationRow } from '../../workspace/tables.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { reliefDigests } from '../recompute/relief.ts';

/** Takes the lines of the logs of a period's evidence, in orders that do not depend on when things happened. */
export type EvidenceLogs = { readonly write: (pieces: LogPieces) => Promise<void> };

/** What the logs say about a page of sales. */
export const piecesOfSales = async (ports: ClosePorts, page: readonly DetailedSale[]): Promise<LogPieces> => {
  const { workspace } = ports;
  const calculations = await calculationRows(
    workspace,
    page.map(({ sale }) => sale.key),
  );
  const posted = page.filter(isPostedNow);
  const asked = calculationsAsked(ports, posted, calculations);
  const kept = await keptRows(
    workspace,
    asked.map(({ digest }) => digest),
  );
  const sent = await submissionsOf(ports, posted, (key) => {
    const digest = calculations.get(key)?.calculation ?? null;
    const row = digest === null ? undefined : kept.get(digest);
    return row && (JSON.parse(row.result) as TaxResult);
  });
  return {
    sales: logPiece(
      page.map((detailed) => {
        const { key } = detailed.sale;
        return saleLine(ports, detailed, calculations.get(key), sent.get(key)?.digest ?? null);
      }),
    ),
    calculations: logPiece(asked.flatMap((each) => calculationLine(each, kept) ?? [])),
    submissions: logPiece([...sent.values()].map((submission) => JSON.stringify(submission))),
  };
};

/** What is filed is neither calculated nor sent again. */
const isPostedNow = ({ posting, filed }: StoredSale): boolean => posting === 'posted' && filed === undefined;

/** What was found about a sale is joined as it is stored: parsing it only to print it again would change nothing. */
const saleLine = (
  { configuration }: ClosePorts,
  { sale, filed, late, figures }: DetailedSale,
  calculated: SaleCalculationRow | undefined,
  submission: string | null,
): string => {
  const posting = postingOf(sale);
  // What is filed, or takes back what is filed, stands as it was filed: no calculation of today proves it.
  const isCalculated = posting === 'posted' && filed === undefined && (late?.takesBack ?? null) === null;
  const calculation = isCalculated ? (calculated?.calculation ?? null) : null;
  const provider = providerOf(configuration, sale.channel);
  const head = JSON.stringify({ posting, sale, provider, calculation, submission });
  return `${head.slice(0, -1)},"reconciled":${figures === '' ? 'null' : figures}}`;
};

const calculationRows = async ({ tables, entity }: Workspace, keys: readonly string[]) =>
  byKey(
    await tables
      .selectFrom('sale_calculation')
      .selectAll()
      .where('entity', '=', entity)
      .where('key', 'in', keys)
      .execute(),
  );

/** The calculations of these sales, those with one thing changed after the sale's own. */
const calculationsAsked = (
  ports: ClosePorts,
  posted: readonly StoredSale[],
  rows: ReadonlyMap<string, SaleCalculationRow>,
): readonly Asked[] => {
  const sales = posted.map(({ sale }) => sale);
  const relief = reliefDigests(ports, sales);
  return sales.flatMap(({ key }) => calculationsOf(rows.get(key), relief.get(key)));
};

const calculationLine = (
  { digest, isRelief, ...about }: Asked,
  kept: ReadonlyMap<string, CalculationRow>,
): string | undefined => {
  const row = kept.get(digest);
  if (!row && isRelief) return undefined;
  if (!row) throw new DefectError(`the calculation ${digest} is not in the workspace`);
  const head = JSON.stringify({ ...about, digest, service: row.service });
  return `${head.slice(0, -1)},"request":${row.request},"result":${row.result}}`;
};

type Asked = {
  readonly key: string;
  readonly digest: string;
  readonly code?: string;
  readonly what?: string;
  /** What the exemption relieves: it is missing where the calls did not reach. */
  readonly isRelief: boolean;
};

/** What the exemption relieves is there as far as it was asked for. */
const calculationsOf = (
  row: SaleCalculationRow | undefined,
  relief: string | undefined,
): readonly Asked[] => {
  if (!row) return [];
  const { key, calculation } = row;
  const alternatives = JSON.parse(row.alternatives) as StoredAlternative[];
  const known = alternatives.some((alternative) => alternative.calculation === relief);
  const asked = (digest: string, why: Pick<Asked, 'code' | 'what'> = {}): Asked => ({
    key,
    ...why,
    digest,
    isRelief: digest === relief,
  });
  return [
    ...(calculation === null ? [] : [asked(calculation)]),
    ...alternatives.map(({ code, what, calculation: digest }) => asked(digest, { code, what })),
    ...(relief === undefined || known ? [] : [asked(relief, { code: 'R07', what: 'without the exemption' })]),
  ];
};

const keptRows = async ({ tables }: Workspace, digests: readonly string[]) => {
  if (digests.length === 0) return new Map<string, CalculationRow>();
  const rows = await tables
    .selectFrom('calculation')
    .selectAll()
    .where('digest', 'in', [...new Set(digests)])
    .execute();
  return new Map(rows.map((row) => [row.digest, row]));
};

/** What was sent for each posted sale, and how it ended, by the key of the sale. */
const submissionsOf = async (
  { workspace, serviceName, configuration }: ClosePorts,
  posted: readonly StoredSale[],
  resultOf: (key: string) => TaxResult | undefined,
): Promise<ReadonlyMap<string, LoggedSubmission>> => {
  if (posted.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('submission')
    .select(['key', 'state', 'detail', 'body_digest'])
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where(
      'key',
      'in',
      posted.map(({ sale }) => sale.key),
    )
    .execute();
  const submissions = byKey(rows);
  return new Map(
    posted.flatMap(({ sale }) => {
      const submission = submissions.get(sale.key);
      if (!submission) return [];
      const { key, state, detail, body_digest: digest } = submission;
      const provider = providerOf(configuration, sale.channel);
      const body = wireSent(transactionOf(sale, provider, configuration.shipFrom, resultOf(key)));
      return [[key, { key, state, detail, digest, body: body as Json }] as const];
    }),
  );
};

/** What the service gave back for the period. */
export const recordedLine = (
  { provider, kind, id, business_date, body }: RecordedRow,
  channel: string,
): string => {
  const head = JSON.stringify({ channel, provider, kind, id, business_date });
  return `${head.slice(0, -1)},"record":${body}}`;
};
