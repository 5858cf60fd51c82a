import { withSettledExemption } from '../close/period-sales/with-settled-exemption.ts';
import { postingOf, type Sale } from '../close/sales/sale.ts';
import { gapCounter, gapsOf } from '../close/stages/coverage/rate-gaps.ts';
import { planOfSales, planText } from '../close/stages/recompute/plan-calculations.ts';
import type { ClosePorts } from '../close/stages/run/close-ports.ts';
import { submissionText } from '../close/stages/submit/plan-submissions.ts';
import { registerOfFiles } from '../close/workspace/certificate-files.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { allSales, daysOf, type Exports } from './shapes.ts';

/** Yields the posted sales of a period, a day at a time, with the exemptions that the register decides. */
export function* postedSales(exports: Exports, period: FilingPeriod): Generator<readonly Sale[]> {
  const register = registerOfFiles(exports.certificates);
  for (const day of daysOf(exports, period)) {
    const posted = exports.sales.read(day).filter(({ sale }) => postingOf(sale) === 'posted');
    yield posted.map(
      ({ sale, stated }) => withSettledExemption({ sale, digest: stated, posting: 'posted' }, register).sale,
    );
  }
}

/** Estimates what closing a period would ask and send, without doing either. */
export const planDays = async (
  run: StageRunner,
  ports: ClosePorts,
  period: FilingPeriod,
  exports: Exports,
) => {
  const calculations = await run.stage('recompute', async () => {
    const value = await planOfSales(ports, postedSales(exports, period));
    return { value, summary: planText(value) };
  });
  const gaps = gapCounter(ports);
  const notPosted: Record<string, number> = {};
  let toSend = 0;
  for (const sale of allSales(exports, period)) {
    const posting = postingOf(sale);
    if (posting === 'posted') {
      toSend += 1;
      gaps.add(sale);
    } else notPosted[posting] = (notPosted[posting] ?? 0) + 1;
  }
  const submissions = await run.stage('submit', async () => {
    const value = { toSend, held: 0, notPosted };
    return { value, summary: submissionText(value) };
  });
  return { calculations, submissions, gaps: gapsOf(ports, period, gaps) };
};
