import { gapsOf, gapsText } from '../ask/coverage.ts';
import { type CalculationPlan, planOfSales, planText } from '../ask/plan-calculations.ts';
import { registerOfFiles } from '../certificates/read-register.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownCount as shown } from '../kernel/text.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import { correctionsIn, foreseenIn } from '../periods/late.ts';
import { allSales, daysOf, type Exports, type Statement } from '../read/shapes.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { exempted } from './compare-sale.ts';
import type { Reading } from './reading.ts';

/** Returns the posted sales among statements. What is taken back is not calculated again. */
const postedAmong = ({ certificates }: Exports, statements: readonly Statement[]): readonly Sale[] => {
  const register = registerOfFiles(certificates);
  return statements
    .filter(({ sale, reverses }) => postingOf(sale) === 'posted' && !reverses)
    .map((statement) => exempted(statement, register).sale);
};

/** Yields the posted sales of a period, a day at a time, with the exemptions that the register decides. */
export function* postedSales(exports: Exports, period: FilingPeriod): Generator<readonly Sale[]> {
  for (const day of daysOf(exports, period))
    for (const statements of exports.sales.parts(day)) yield postedAmong(exports, statements);
}

/** Yields the posted sales of a period, then its corrections, and late items that no one has decided. */
function* salesIn({ exports, late, locks }: Reading, period: FilingPeriod): Generator<readonly Sale[]> {
  yield* postedSales(exports, period);
  yield postedAmong(exports, [...correctionsIn(late, locks, period), ...foreseenIn(late, locks, period)]);
}

/** Counts the calculations of a period. */
export const planOfPeriod = (
  ports: ClosePorts,
  reading: Reading,
  period: FilingPeriod,
): Promise<CalculationPlan> => planOfSales(ports, salesIn(reading, period));

/** Estimates what closing a period would ask and send, without doing either. */
export const planDays = async (
  run: StageRunner,
  ports: ClosePorts,
  period: FilingPeriod,
  reading: Reading,
) => {
  const calculations = await run.stage('recompute', async () => {
    const value = await planOfPeriod(ports, reading, period);
    return { value, summary: planText(value) };
  });
  let toSend = 0;
  for (const sale of allSales(reading.exports, period)) if (postingOf(sale) === 'posted') toSend += 1;
  const submissions = await run.tell('submit', { toSend }, `${shown(toSend)} to send`);
  const coverage = gapsOf(ports, period);
  if (coverage.states.length + coverage.outdated.length > 0)
    await run.tell('coverage', coverage, gapsText(coverage));
  return { calculations, submissions, gaps: coverage };
};
