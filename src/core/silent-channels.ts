import type { InputFile } from '../figures/period-report.ts';
import { channelRecord } from '../judge/expected-totals.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, isAmendmentLabel } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import type { Sale } from '../sales/sale.ts';

/** A channel that sold within this many days before the period counts as active when the period began. */
const DAYS_BEFORE = 30;

/** A month without an order is more often a forgotten export than a quiet month, so a person has to confirm it. */
const noSales = ({ label }: FilingPeriod): Finding =>
  finding('no-sales', 'none of the exports holds an order of the period', { record: label });

const silent = (channel: string, period: FilingPeriod, what: string): Finding =>
  finding('no-channel-sales', `the exports of "${channel}" ${what}`, {
    record: channelRecord(channel, period),
  });

/** What exports say of channels: their files, and their sales by business day. */
type ExportsRead = {
  readonly inputs: readonly Pick<InputFile, 'channel' | 'rows'>[];
  readonly sales: {
    readonly days: () => readonly CalendarDate[];
    readonly read: (day: CalendarDate) => readonly { readonly sale: Pick<Sale, 'channel' | 'kind'> }[];
  };
};

/**
 * Returns exceptions for channels that sold until shortly before the period, but not in it, or for the period if none
 * sold in it: the export of the period may have been forgotten.
 */
export const silentAmong = (
  { channels }: Pick<ClosePorts['configuration'], 'channels'>,
  period: FilingPeriod,
  selling: ReadonlySet<string>,
  { inputs, sales }: ExportsRead,
): readonly Finding[] => {
  if (isAmendmentLabel(period.label)) return [];
  if (selling.size === 0) return [noSales(period)];
  const from = addDays(period.first, -DAYS_BEFORE);
  const before = sales.days().filter((day) => from <= day && day < period.first);
  return channels.flatMap(({ name }): readonly Finding[] => {
    if (selling.has(name)) return [];
    const last = before.findLast((day) =>
      sales.read(day).some(({ sale }) => sale.channel === name && sale.kind === 'order'),
    );
    if (last !== undefined)
      return [
        silent(name, period, `hold no order of the period, and their last one before it is of ${last}`),
      ];
    const files = inputs.filter(({ channel }) => channel === name);
    const isEmpty = files.length > 0 && files.every(({ rows }) => rows === 0);
    return isEmpty ? [silent(name, period, 'have a header and no rows')] : [];
  });
};
