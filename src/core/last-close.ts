import { dirname } from 'node:path';
import { closedReportOf, publishedPeriods } from '../close/published/folders.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import { periodFolder } from '../close/stages/run/period-folder.ts';
import { runsOf } from '../close/stages/run/record-run.ts';
import type { FilingPeriod } from '../kernel/period.ts';

/** Returns the last run of a period, and the report in its folder, before the period is closed again. */
export const lastCloseOf = async (ports: ClosePorts, period: FilingPeriod) => {
  const { state = '', configuration } = ports;
  const published = await publishedPeriods(dirname(periodFolder(ports, period)));
  const runs = await runsOf(state, configuration.entity);
  const before = await published.of(period.label);
  const { open, accepted } = before?.manifest.content.exceptions ?? { open: 0, accepted: 0 };
  return {
    last: runs.findLast((run) => run.period === period.label),
    report: before && { ...(await closedReportOf(before)), exceptions: [], counted: { open, accepted } },
    registrations: configuration.registrations,
    outdated: new Map<string, never>(),
    configured: '',
    late: 0,
  };
};
