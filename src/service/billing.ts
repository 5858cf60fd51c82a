import { ServiceRefusal } from '../contract/refusal.ts';
import { utcDateOf } from '../kernel/calendar.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Account } from './ledger/account.ts';
import type { UsageStore } from './ledger/usage-store.ts';

/**
 * Counts one calculation or look-up against the account's plan and the month (UTC). What goes beyond the plan is
 * counted all the same, unless the account wants it refused.
 *
 * @throws {ServiceRefusal} 403 when the plan is used up and the account blocks beyond it
 */
export const billing =
  (usage: UsageStore, clock: Clock) =>
  async ({ id, planLimit, blockOverPlan }: Account): Promise<void> => {
    const month = utcDateOf(clock.now()).slice(0, 7);
    if (planLimit === undefined || !blockOverPlan) usage.count(id, month);
    else if (!(await usage.countWithin(id, month, planLimit))) {
      throw new ServiceRefusal(403, `the plan's ${planLimit} calculations of ${month} are used up`);
    }
  };
