import { addDays, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providersOf } from '../../configuration/provider-of.ts';
import { filingPlan, isOpenSpan, type Span } from '../../period-sales/filing-plan.ts';
import { recordedStage } from '../../period-sales/recorded-sale.ts';
import { noteMissing, submittedIn, submittedStage } from '../../period-sales/submitted-sale.ts';
import { nameOfKey } from '../../sales/sale-name.ts';
import { locksOf } from '../../workspace/locks.ts';
import { postedKeys } from '../../workspace/sale-index.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { adjustmentsIn } from '../../workspace/sent-records.ts';
import { type PageHead, pageHeads } from '../../workspace/stage-pages.ts';
import { dayMarks, isAsRead } from '../listing/day-marks.ts';
import { type ListedWindow, listedWindows } from '../listing/listed-windows.ts';
import { channelsOf } from '../listing/window-sales.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Find records of the open days of a period that the service held but no longer lists, so that they are sent again in
 * this run. Nothing is listed if the service does not hold any records yet, or if they have not changed since all of
 * them were read back.
 */
export const noteVanished = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { spans } = filingPlan(period, await locksOf(ports.workspace));
  let vanished = 0;
  for (const span of spans.filter(isOpenSpan)) vanished += await noteVanishedIn(ports, span);
  return vanished;
};

const noteVanishedIn = async (ports: ClosePorts, span: Span): Promise<number> => {
  const days = { first: beginningOf(span.first), last: beginningOf(span.last) };
  const heads = await pageHeads(ports.workspace, submittedStage(ports), days);
  const held = heads.filter(({ rows, open }) => rows > open);
  if (held.length === 0 || (await areAsRead(ports, days, held))) return 0;
  const missing = new Map<string, Set<string>>();
  for await (const window of listedWindows(ports, span, providersOf(ports.configuration))) {
    const unlisted = await unlistedSales(ports, span, window);
    if (unlisted.size === 0) continue;
    // A page contains sales of one day, which differs from the listed day by at most one in any time zone.
    const near = {
      first: beginningOf(addDays(window.first, -1)),
      last: beginningOf(addDays(window.last, 1)),
    };
    for (const { slot } of await pageHeads(ports.workspace, submittedStage(ports), near)) {
      const gone = missing.get(slot) ?? new Set<string>();
      for (const { key, state } of (await submittedIn(ports, slot)).values())
        if (state === 'held' && unlisted.has(key)) gone.add(key);
      missing.set(slot, gone);
    }
  }
  let vanished = 0;
  for (const [slot, keys] of missing) {
    vanished += keys.size;
    await noteMissing(ports, slot, keys);
  }
  return vanished;
};

/** Whether all records of these pages were read back, and nothing has changed at the service since. */
const areAsRead = async (
  ports: ClosePorts,
  days: { readonly first: string; readonly last: string },
  held: readonly PageHead[],
): Promise<boolean> => {
  const heads = await pageHeads(ports.workspace, recordedStage(ports), days);
  const read = new Map(heads.map((head) => [head.slot, head]));
  const marks = dayMarks(ports);
  for (const { slot } of held) {
    const head = read.get(slot);
    if (!head || !(await isAsRead(head, marks))) return false;
  }
  return true;
};

/** Returns the posted sales in the days of a window that have a record, or an adjustment, that is not listed. */
const unlistedSales = async (
  ports: ClosePorts,
  span: Span,
  window: ListedWindow,
): Promise<ReadonlySet<string>> => {
  const unlisted = new Set<string>();
  for await (const page of salesIn(ports, span, window))
    for (const { key } of page) if (!window.ids.has(nameOfKey(key).id)) unlisted.add(key);
  const { start, end } = instantsOf(window);
  for (const { key, id, instant } of window.kind === 'order'
    ? []
    : await adjustmentsIn(ports, window.provider, span))
    if (start <= instant && instant < end && !window.ids.has(id)) unlisted.add(key);
  return unlisted;
};

const instantsOf = ({ first, last }: ListedWindow) => ({
  start: startOfUtcDay(first),
  end: startOfUtcDay(addDays(last, 1)),
});

const salesIn = (ports: ClosePorts, span: Span, window: ListedWindow) =>
  postedKeys(ports.workspace, span, {
    channels: channelsOf(ports, window),
    kind: window.kind,
    ...instantsOf(window),
  });
