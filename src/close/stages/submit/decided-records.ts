import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import type { Decision } from '../../decisions/decision.ts';
import { filingPlan, isOpenSpan } from '../../period-sales/filing-plan.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { codeOf } from '../../reconcile/exceptions.ts';
import { locksOf } from '../../workspace/locks.ts';
import { keepDecided, sentAndNotPosted } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { recordName, type Submission } from './submission.ts';
import { withdraw } from './withdraw.ts';

const records = ({ verdict }: Decision): boolean => verdict === 'post' || verdict === 'split';

/** Note of sales that are about to be sent which of them are sent because a person decided so. */
export const noteDecided = async (ports: ClosePorts, sending: readonly Submission[]): Promise<void> => {
  const { configuration } = ports;
  if (!decisionsOf(configuration).some(records)) return;
  const decisions = decisionIndexOf(configuration);
  const decided = sending.filter(({ stored: { sale } }) =>
    decisions.ofRecord([sale.origin.record, sale.id], sale.remarks.map(codeOf)).some(records),
  );
  const rows = decided.map((submission) => {
    const { provider = '', kind, id } = recordName(submission);
    const { key, businessDate } = submission.stored.sale;
    return { key, provider, kind, id, business_date: businessDate, state: 'sent' };
  });
  await keepDecided(ports, rows);
};

/**
 * Delete what was recorded of the open days of a period because a person decided so, and is not decided any more. What
 * a lock holds stays: there it is a late item.
 */
export const withdrawUndecided = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { spans } = filingPlan(period, await locksOf(ports.workspace));
  const open = spans.filter(isOpenSpan);
  const rows = (await sentAndNotPosted(ports)).filter(({ business_date: day }) =>
    open.some(({ first, last }) => first <= day && day <= last),
  );
  for (const row of rows) {
    const { key, provider, id, business_date: day } = row;
    await withdraw(ports, {
      key,
      provider,
      id,
      kind: row.kind as RecordName['kind'],
      day: day as CalendarDate,
    });
    await keepDecided(ports, [{ ...row, state: 'withdrawn' }]);
  }
  return rows.length;
};
