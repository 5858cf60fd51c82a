import type { RefundPlan } from './sample-order.ts';
import { storeTime } from './store-time.ts';

const full = (at: string): RefundPlan => ({ kind: 'full', at: storeTime(at) });
/** One unit of the first line with its share of the tax. */
const partial = (at: string): RefundPlan => ({ kind: 'partial', at: storeTime(at) });

/** The 25 refunds, by order number: 4 of September orders in October, 4 of October orders in November. */
export const REFUND_PLANS: Readonly<Record<number, RefundPlan>> = {
  5002: full('2026-10-02 10:14:09'),
  5004: full('2026-10-05 15:41:37'),
  5006: partial('2026-10-07 09:20:55'),
  5008: full('2026-10-12 13:02:18'),
  5015: full('2026-10-08 11:47:03'),
  5024: full('2026-10-09 16:33:40'),
  5035: full('2026-10-11 08:59:12'),
  5043: partial('2026-10-13 14:26:31'),
  5052: full('2026-10-12 17:08:44'),
  5063: full('2026-10-16 10:51:20'),
  5069: full('2026-10-15 12:37:58'),
  5082: full('2026-10-19 09:05:46'),
  5105: partial('2026-10-20 15:12:07'),
  5118: full('2026-10-22 11:29:33'),
  5126: full('2026-10-21 18:44:15'),
  5140: full('2026-10-24 13:55:02'),
  5153: full('2026-10-26 10:38:27'),
  5169: full('2026-10-27 16:17:50'),
  5188: partial('2026-10-28 14:03:39'),
  5222: full('2026-10-30 09:48:11'),
  5226: full('2026-10-31 22:05:34'),
  5243: full('2026-11-02 10:22:08'),
  5259: full('2026-11-03 15:36:53'),
  5273: partial('2026-11-04 11:11:29'),
  5303: full('2026-11-06 12:50:41'),
};
