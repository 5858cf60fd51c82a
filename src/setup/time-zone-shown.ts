import type { Detected } from '../close/sales/detect-profile.ts';
import { ExportError } from '../close/sales/export-error.ts';
import { isSalesProfile } from '../close/sales/load-profiles.ts';
import { dateText } from '../close/sales/read-date.ts';
import { rowReader } from '../close/sales/row-reader.ts';
import { rowByRow } from '../close/sales/table-row.ts';
import { instant } from '../kernel/calendar.ts';
import { wallTimeIn } from '../kernel/time-zones.ts';

/** Time zones of US sellers, most populous first: where the dates fit two, the first is taken. */
const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
];

const STAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?).*?([+-]\d\d):?(\d\d)$/;

/**
 * The time zone whose clock has every UTC offset that the dates of an export state; `undefined` where they state none,
 * or only UTC, which is the clock of a server.
 */
export const timeZoneShown = async ({ profile, header, rows }: Detected): Promise<string | undefined> => {
  if (!isSalesProfile(profile) || profile.locale.date.zone !== 'cell-offset') return undefined;
  const textOf = dateText(profile.locale.date.columns, rowReader(header, profile.file));
  const fitting = new Map(ZONES.map((zone) => [zone, wallTimeIn(zone)]));
  let isStated = false;
  try {
    for await (const row of rowByRow(rows())) {
      const [, day, time, hours, minutes] = STAMP.exec(textOf(row)) ?? [];
      if (day === undefined) continue;
      const at = instant(Date.parse(`${day}T${time}${hours}:${minutes}`));
      const wall = Date.parse(`${day}T${time}Z`);
      isStated ||= wall !== at;
      for (const [zone, wallTime] of fitting) if (wallTime(at) !== wall) fitting.delete(zone);
    }
  } catch (error) {
    // The trial of the file says where it is damaged.
    if (!(error instanceof ExportError)) throw error;
  }
  const [zone] = fitting.keys();
  return isStated ? zone : undefined;
};
