import type { FilingPeriod } from '../../../kernel/period.ts';
import { moneyOfPrice } from '../../../kernel/price.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { logPiece } from '../../evidence/log-file.ts';
import { type DraftException, exceptionOfExtra, exceptionOfUnshown } from '../../reconcile/exceptions.ts';
import { addRecorded, type PeriodTotals } from '../../reconcile/period-totals.ts';
import type { SetAside } from '../../sales/sale.ts';
import type { ClosePorts } from '../close-ports.ts';
import { unshownOf } from '../pull-back/unshown.ts';
import { type EvidenceLogs, recordedLine } from './evidence-logs.ts';
import { postedAmong, type RecordedRecord, recordedOf } from './recorded-of-period.ts';

/**
 * Count what the service holds for the period into its days, and log it; what no export explains is an exception, and
 * so is what the service lists and does not show.
 */
export const gatherRecorded = async (
  ports: ClosePorts,
  period: FilingPeriod,
  totals: PeriodTotals,
  logs: EvidenceLogs,
): Promise<readonly DraftException[]> => {
  const { configuration } = ports;
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const channelOf = ({ provider }: RecordedRecord) => channels.get(provider) ?? provider;
  const keyOf = (record: RecordedRecord) => `${channelOf(record)}/${record.kind}/${record.id}`;
  const drafts: DraftException[] = [];
  for await (const page of recordedOf(ports, period)) {
    await logs.write({ 'pull-back': logPiece(page.map((one) => recordedLine(one, channelOf(one)))) });
    const dated = page.filter((one) => one.as === 'date').map(keyOf);
    const known = dated.length === 0 ? NONE : await postedAmong(ports.workspace, period, dated);
    const said = await saidOf(
      ports,
      dated.filter((key) => !known.has(key)),
    );
    for (const one of page) {
      const { record, as } = one;
      const tax = moneyOfPrice(record.sales_tax);
      const amount = moneyOfPrice(record.amount);
      // A refund and its adjustments are one record with the amounts of all.
      const records = as === 'adjustment' ? 0 : 1;
      addRecorded(totals, one.business_date, channelOf(one), { records, amount, tax });
      if (as !== 'date' || known.has(keyOf(one))) continue;
      drafts.push(
        exceptionOfExtra({
          kind: one.kind,
          id: one.id,
          provider: one.provider,
          state: record.to_state ?? '',
          tax,
          said: said.get(keyOf(one)),
        }),
      );
    }
  }
  drafts.push(...(await unshownOf(ports, period)).map(exceptionOfUnshown));
  return drafts;
};

const NONE: ReadonlySet<string> = new Set();

/** What the exports say of records that are not posted in the period: where it stands, and why it is no sale of it. */
const saidOf = async (
  { workspace }: ClosePorts,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (keys.length === 0) return new Map();
  const { tables, entity } = workspace;
  const asides = await tables
    .selectFrom('set_aside')
    .select(['key', 'body'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    // Of several places the first one is named: it comes last here.
    .orderBy('file', 'desc')
    .orderBy('line', 'desc')
    .execute();
  const sales = await tables
    .selectFrom('sale')
    .select(['key', 'posting', 'business_date', 'file', 'line'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .execute();
  const filed = await tables
    .selectFrom('filed_sale')
    .select(['key', 'label'])
    .where('entity', '=', entity)
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();
  return new Map([
    ...asides.map(({ key, body }): [string, string] => {
      const { origin, outcome, reason } = JSON.parse(body) as SetAside;
      return [key, `${origin.file}:${origin.line} is ${outcome}: ${reason.message}`];
    }),
    ...sales.map(({ key, posting, business_date, file, line }): [string, string] => [
      key,
      `${file}:${line} is ${posting === 'posted' ? `of ${business_date} now` : `not posted (${posting})`}`,
    ]),
    ...filed.map(({ key, label }): [string, string] => [key, `it is filed with ${label}`]),
  ]);
};
