import { addDays, type CalendarDate, daysFrom } from '../../../kernel/calendar.ts';
import { TieoutError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { salesOnPages } from '../../workspace/sale-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** The records that the service lists for one provider and kind on some UTC days, both ends included. */
export type ListedWindow = {
  readonly provider: string;
  readonly kind: 'order' | 'refund';
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** Contains every record of these days, and possibly records of the day after. */
  readonly ids: ReadonlySet<string>;
  /** The ids that the window before did not contain. */
  readonly fresh: readonly string[];
};

type Days = Pick<FilingPeriod, 'first' | 'last'>;

/** The most days in the first window, and in later ones. */
const DAYS_FIRST_MAX = 8;
const DAYS_MAX = 32;
/**
 * After a window with fewer ids than the first number, the next is twice as long; after one with more than the second,
 * half as long.
 */
const IDS_FEW = 5_000;
const IDS_MANY = 20_000;

/**
 * List the records of the service for a period, window by window. It lists by UTC day, but the period consists of
 * business dates. The two differ by at most a day in any time zone, so one more day on each side is listed.
 *
 * The interface does not say whether the last day of a range is included. Each request covers one day more than the
 * window, so that nothing is lost either way; repeated ids are recognised. If the service takes too long for a window,
 * the window is halved, down to a single day, and no later one is longer.
 */
export async function* listedWindows(
  ports: ClosePorts,
  period: Days,
  providers: readonly string[],
): AsyncGenerator<ListedWindow> {
  const daysFirst = await daysToBeginWith(ports, period);
  for (const provider of providers) {
    for (const kind of ['order', 'refund'] as const)
      yield* windowsOf(ports, period, { provider, kind, daysFirst });
  }
}

/** The service has about as many records per day as the exports have sales. */
const daysToBeginWith = async ({ workspace }: ClosePorts, period: Days): Promise<number> => {
  const sales = await salesOnPages(workspace, period);
  const daily = sales / (daysFrom(period.first, period.last) + 1);
  return Math.max(1, Math.min(DAYS_FIRST_MAX, Math.floor(IDS_MANY / daily)));
};

async function* windowsOf(
  ports: ClosePorts,
  period: Days,
  { provider, kind, daysFirst }: Pick<ListedWindow, 'provider' | 'kind'> & { readonly daysFirst: number },
): AsyncGenerator<ListedWindow> {
  const end = addDays(period.last, 1);
  let first = addDays(period.first, -1);
  let days = daysFirst;
  let daysMax = DAYS_MAX;
  let before: ReadonlySet<string> = new Set();
  while (first <= end) {
    days = Math.min(days, daysFrom(first, end) + 1);
    const last = addDays(first, days - 1);
    const listed = await listUnlessSlow(ports, provider, kind, { first, last });
    if (listed === 'too slow') {
      daysMax = Math.floor(days / 2);
      days = daysMax;
      continue;
    }
    const ids = new Set(listed);
    yield { provider, kind, first, last, ids, fresh: [...ids].filter((id) => !before.has(id)) };
    before = ids;
    first = addDays(last, 1);
    if (ids.size < IDS_FEW) days = Math.min(daysMax, 2 * days);
    else if (ids.size > IDS_MANY) days = Math.ceil(days / 2);
  }
}

const listUnlessSlow = async (
  { service }: ClosePorts,
  provider: string,
  kind: 'order' | 'refund',
  { first, last }: { readonly first: CalendarDate; readonly last: CalendarDate },
): Promise<readonly string[] | 'too slow'> => {
  const days =
    first === last
      ? { transaction_date: first }
      : { from_transaction_date: first, to_transaction_date: addDays(last, 1) };
  const query = { ...days, provider };
  try {
    return kind === 'order' ? await service.listOrders(query) : await service.listRefunds(query);
  } catch (error) {
    if (first === last || !isSlow(error)) throw error;
    return 'too slow';
  }
};

/** Whether a request timed out without an outage. An outage would affect short windows just as much. */
const isSlow = (error: unknown): boolean =>
  error instanceof TieoutError &&
  error.code === 'E_SERVICE_UNAVAILABLE' &&
  error.details['isOutage'] !== true;
