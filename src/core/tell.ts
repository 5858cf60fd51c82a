import { gapsOf, gapsText } from '../ask/coverage.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount as shown } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { reconcileText, type SubmitFigures, submitText } from './outcome.ts';
import type { settleAll } from './settle.ts';
import type { Strays } from './strays.ts';

/** A period that is closed, and whom it is told. */
type Told = {
  readonly run: StageRunner;
  readonly ports: ClosePorts;
  readonly period: FilingPeriod;
};

/** Reports what was recorded, read back and compared while the sales were settled. */
export const nameFigures = async (
  { run, ports, period }: Told,
  { keeper, statuses, recomputed }: Awaited<ReturnType<typeof settleAll>>['settled'],
  { extras, unshown, listed, deleted }: Strays,
) => {
  const coverage = gapsOf(ports, period);
  if (coverage.states.length + coverage.outdated.length > 0)
    await run.tell('coverage', coverage, gapsText(coverage));
  const { read, deleted: replaced, ...sent } = keeper.counts;
  const submitted: SubmitFigures = { ...sent, withdrawn: deleted + replaced };
  await run.tell('submit', submitted, submitText(submitted));
  const listedAll = listed + sent.created;
  const readBack = { listed: listedAll, read: read + extras.length, unshown: unshown.length };
  await run.tell('read back', readBack, `${shown(readBack.read)} records read back`);
  await run.tell('reconcile', statuses, reconcileText(statuses));
  return { gaps: coverage, recomputed, submitted, readBack, reconciled: statuses };
};
