import type { CalendarDate } from '../kernel/calendar.ts';
import type { Locks } from '../periods/folders.ts';
import type { LateItems } from '../periods/late.ts';
import type { Exports, Statement } from '../read/shapes.ts';

/** Leaves out what is locked: its entries stand in folders. What is rejected since is of the first open day behind. */
export const openOf = (
  exports: Exports,
  { holding, openFrom }: Locks,
  { isLocked, rejected }: LateItems,
): Exports => {
  const { sales, asides } = exports;
  const moved = Map.groupBy(rejected, ({ businessDate }) => openFrom(businessDate as CalendarDate));
  const isOpen = (day: CalendarDate): boolean => holding(day) === undefined;
  const openAmong = (day: CalendarDate, statements: readonly Statement[]): readonly Statement[] =>
    statements.filter(({ sale }) => !isLocked(sale.key, day));
  return {
    ...exports,
    sales: {
      days: () => sales.days().filter(isOpen),
      read: (day) => openAmong(day, sales.read(day)),
      take: (day) => openAmong(day, sales.take(day)),
    },
    asides: {
      ...asides,
      days: () => [...new Set([...asides.days().filter(isOpen), ...moved.keys()])],
      read: (day) => [...asides.read(day), ...(moved.get(day) ?? [])],
    },
  };
};
