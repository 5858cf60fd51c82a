import { closePlan } from '../../pipelines/close-plan.ts';
import { isOverBudget } from '../ask/plan-calculations.ts';
import { gapFigures } from '../ask/rate-gaps.ts';
import type { InputFile } from '../figures/period-report.ts';
import { ExitCode } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import { overPeriod, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type CloseCommandOptions, portOptions } from './options.ts';

type Planned = Awaited<ReturnType<typeof closePlan.run>> & {
  readonly entity: string;
  readonly period: string;
  /** `embedded`, or the address of the service that would calculate. */
  readonly service: string;
};

/** Shows what closing a period would request and send, for each selected entity; 1 if it exceeds the allowed number. */
export const planEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  const outcomes = await overPeriod<Planned>(
    io,
    { ...options, period },
    { codeOf: ({ calculations }) => (isOverBudget(calculations) ? ExitCode.open : ExitCode.clean) },
    async ({ configuration, entity, watch, onWait }) => {
      const plan = await io.withClose(configuration, { ...portOptions(options), onWait }, async (ports) => ({
        service: ports.serviceName,
        ...(await closePlan.run({ ...ports, ...watch(period) }, { period })),
      }));
      return { entity, period, ...plan };
    },
  );
  // The plans of the stages were already printed as they were counted.
  return printOutcomes(io, options, outcomes, {
    period,
    figuresOf: ({ inputs, gaps, ...plan }) => ({
      ...plan,
      rate_gaps: gapFigures(gaps),
      inputs: inputs.map(inputObject),
    }),
    textOf: (planned) => `cost: ${costOf(planned)}\n`,
  });
};

/** Describes possible costs: calls to a remote service. The embedded service is free. */
const costOf = ({ service, calculations, submissions }: Planned): string => {
  if (service === 'embedded') return 'none: the tax service that comes with Tieout charges nothing';
  const { toAsk, forExemptions, forLateItems, questionsMax } = calculations;
  const asked = toAsk + forExemptions + forLateItems + questionsMax;
  return `at most ${shownNumber(asked, 'calculation')} and ${shownNumber(submissions.toSend, 'record')} at ${service}, at the prices of that service`;
};

/** Returns a file of the exports as JSON. */
const inputObject = ({
  channel,
  path,
  profile,
  sha256,
  bytes,
  rows,
  used,
  ignored,
  rejected,
}: InputFile): object => ({ channel, path, profile, sha256, bytes, rows, used, ignored, rejected });
