import type { FilingPeriod } from '../../../kernel/period.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { filingPlan, isOpenSpan } from '../../period-sales/filing-plan.ts';
import { submittedIn, submittedStage } from '../../period-sales/submitted-sale.ts';
import { orderOfRefund } from '../../sales/refunds.ts';
import { locksOf } from '../../workspace/locks.ts';
import { nameOfKey } from '../../workspace/sale-key.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { pageHeads } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { deleteRecord } from './decided-records.ts';

/**
 * Delete what was recorded of one copy of a record while the exports had no other: by now they have two that contradict
 * each other, and neither is posted. Refunds that followed from such an order go with it.
 */
export const withdrawContradicted = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { workspace, configuration } = ports;
  const contradicted = await contradictedKeys(ports);
  if (contradicted.size === 0) return 0;
  let withdrawn = 0;
  const { spans } = filingPlan(period, await locksOf(workspace));
  for (const { first, last } of spans.filter(isOpenSpan)) {
    const days = { first: beginningOf(first), last: beginningOf(last) };
    for (const { slot } of await pageHeads(workspace, submittedStage(ports), days))
      for (const { key, state } of (await submittedIn(ports, slot)).values()) {
        const isThere = state === 'held' || state === 'sending';
        if (!isThere || !namesOf(key).some((name) => contradicted.has(name))) continue;
        if (await isPosted(ports, key)) continue;
        const { channel, ...record } = nameOfKey(key);
        const name = { ...record, provider: providerOf(configuration, channel) };
        if (await deleteRecord(ports, name)) withdrawn += 1;
      }
  }
  return withdrawn;
};

const contradictedKeys = async ({ workspace, configuration }: ClosePorts): Promise<ReadonlySet<string>> => {
  const rows = await workspace.tables
    .selectFrom('set_aside')
    .select('key')
    .where('entity', '=', workspace.entity)
    .where('channel', 'in', [...configuration.channels.map(({ name }) => name)])
    .where('code', 'in', ['conflicting-duplicate', 'merged-id'])
    .execute();
  return new Set(rows.map(({ key }) => key));
};

/** The key of a record, and that of the order that it followed from. */
const namesOf = (key: string): readonly string[] => {
  const { channel, kind, id } = nameOfKey(key);
  return kind === 'refund' ? [key, `${channel}/order/${orderOfRefund(id)}`] : [key];
};

const isPosted = async ({ workspace }: ClosePorts, key: string): Promise<boolean> =>
  (await workspace.tables
    .selectFrom('sale')
    .select('key')
    .where('entity', '=', workspace.entity)
    .where('key', '=', key)
    .where('posting', '=', 'posted')
    .executeTakeFirst()) !== undefined;
