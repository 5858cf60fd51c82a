import { DefectError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import type { LogName } from '../../evidence/logged.ts';
import { recordedOf } from '../../periods/recorded-of-period.ts';
import { setAsidesOf } from '../../periods/rejects-of.ts';
import { postingOf } from '../../sales/sale.ts';
import { transactionOf } from '../../sales/transaction-of.ts';
import { type Expectation, expectationsOf, type StoredAlternative } from '../../workspace/expectation-of.ts';
import { byKey, postedSalesOf, type StoredSale, salesOf } from '../../workspace/sales-of.ts';
import type { CalculationRow, SaleCalculationRow } from '../../workspace/tables.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { reliefDigests } from '../recompute/relief.ts';

/** The lines of each log of a period's evidence, in an order that does not depend on when things happened. */
export const evidenceLogs = (
  ports: ClosePorts,
  period: FilingPeriod,
): Readonly<Record<LogName, () => AsyncGenerator<string>>> => ({
  sales: () => saleLines(ports, period),
  calculations: () => calculationLines(ports, period),
  submissions: () => submissionLines(ports, period),
  'pull-back': () => recordedLines(ports, period),
  'set-aside': () => setAsideLines(ports, period),
});

/** What was found about a sale is joined as it is stored: parsing it only to print it again would change nothing. */
async function* saleLines(
  { workspace, configuration }: ClosePorts,
  period: FilingPeriod,
): AsyncGenerator<string> {
  for await (const page of salesOf(workspace, period)) {
    const keys = page.map(({ sale }) => sale.key);
    const reconciled = await reconciledRows(workspace, keys);
    const calculations = await calculationRows(workspace, keys);
    for (const { sale, filed, late } of page) {
      const posting = postingOf(sale);
      const isPosted = posting === 'posted';
      // What is filed, or takes back what is filed, stands as it was filed: no calculation of today proves it.
      const isCalculated = isPosted && filed === undefined && (late?.takesBack ?? null) === null;
      const calculation = isCalculated ? (calculations.get(sale.key)?.calculation ?? null) : null;
      const known = filed ? filed.figures : reconciled.get(sale.key)?.body;
      const found = isPosted ? known : undefined;
      const provider = providerOf(configuration, sale.channel);
      const head = JSON.stringify({ posting, sale, provider, calculation });
      yield `${head.slice(0, -1)},"reconciled":${found ?? 'null'}}`;
    }
  }
}

const reconciledRows = async ({ tables, entity }: Workspace, keys: readonly string[]) =>
  byKey(
    await tables
      .selectFrom('reconciled')
      .selectAll()
      .where('entity', '=', entity)
      .where('key', 'in', keys)
      .execute(),
  );

const calculationRows = async ({ tables, entity }: Workspace, keys: readonly string[]) =>
  byKey(
    await tables
      .selectFrom('sale_calculation')
      .selectAll()
      .where('entity', '=', entity)
      .where('key', 'in', keys)
      .execute(),
  );

/** Each calculation with the sale it was asked for, those with one thing changed after the sale's own. */
async function* calculationLines(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<string> {
  const { workspace } = ports;
  for await (const page of postedSalesOf(workspace, period)) {
    const rows = await calculationRows(
      workspace,
      page.map(({ sale }) => sale.key),
    );
    const sales = page.map(({ sale }) => sale);
    const relief = reliefDigests(ports, sales);
    const asked = sales.flatMap(({ key }) => calculationsOf(rows.get(key), relief.get(key)));
    const kept = await keptRows(
      workspace,
      asked.map(({ digest }) => digest),
    );
    for (const { digest, ...about } of asked) {
      const row = kept.get(digest);
      if (!row && digest === relief.get(about.key)) continue;
      if (!row) throw new DefectError(`the calculation ${digest} is not in the workspace`);
      const head = JSON.stringify({ ...about, digest, service: row.service });
      yield `${head.slice(0, -1)},"request":${row.request},"result":${row.result}}`;
    }
  }
}

type Asked = {
  readonly key: string;
  readonly digest: string;
  readonly code?: string;
  readonly what?: string;
};

/** What the exemption relieves is there as far as it was asked for. */
const calculationsOf = (
  row: SaleCalculationRow | undefined,
  relief: string | undefined,
): readonly Asked[] => {
  if (!row) return [];
  const alternatives = JSON.parse(row.alternatives) as StoredAlternative[];
  const known = alternatives.some(({ calculation }) => calculation === relief);
  return [
    ...(row.calculation === null ? [] : [{ key: row.key, digest: row.calculation }]),
    ...alternatives.map(({ code, what, calculation }) => ({ key: row.key, code, what, digest: calculation })),
    ...(relief === undefined || known
      ? []
      : [{ key: row.key, code: 'R07', what: 'without the exemption', digest: relief }]),
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

/** What was sent for each posted sale, and how it ended. */
async function* submissionLines(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<string> {
  const { workspace, serviceName } = ports;
  for await (const page of postedSalesOf(workspace, period)) {
    const keys = page.map(({ sale }) => sale.key);
    const submissions = await workspace.tables
      .selectFrom('submission')
      .select(['key', 'state', 'detail', 'body_digest'])
      .where('entity', '=', workspace.entity)
      .where('service', '=', serviceName)
      .where('key', 'in', keys)
      .orderBy('key')
      .execute();
    const expectations = await expectationsOf(workspace, keys);
    const sales = new Map(page.map((stored) => [stored.sale.key, stored]));
    for (const { body_digest, ...submission } of submissions) {
      const stored = sales.get(submission.key);
      if (!stored) continue;
      const body = bodyOf(ports, stored, expectations.get(submission.key));
      yield JSON.stringify({ ...submission, digest: body_digest, body });
    }
  }
}

const bodyOf = ({ configuration }: ClosePorts, { sale }: StoredSale, expectation: Expectation | undefined) =>
  transactionOf(
    sale,
    providerOf(configuration, sale.channel),
    configuration.shipFrom,
    expectation && expectation.basis !== 'refused' ? expectation.result : undefined,
  );

/** What the service gave back for the period. */
async function* recordedLines(ports: ClosePorts, period: FilingPeriod): AsyncGenerator<string> {
  for await (const page of recordedOf(ports, period)) {
    for (const { provider, kind, id, business_date, body } of page) {
      const head = JSON.stringify({ provider, kind, id, business_date });
      yield `${head.slice(0, -1)},"record":${body}}`;
    }
  }
}

async function* setAsideLines({ workspace }: ClosePorts, period: FilingPeriod): AsyncGenerator<string> {
  for (const aside of await setAsidesOf(workspace, period)) yield JSON.stringify(aside);
}
