import { join } from 'node:path';
import { servicesCompared } from '../../pipelines/compare-services.ts';
import { chooseEntities, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { Comparison } from '../close/stages/compare/compare-services.ts';
import { comparisonFolder, type WrittenComparison } from '../close/stages/compare/write-comparison.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { formatMoney } from '../kernel/money.ts';
import { provePublishable } from '../runtime/publish-folder.ts';
import { periodOf } from './close-options.ts';
import type { CompareOptions } from './compare.ts';
import { comparisonText } from './comparison-text.ts';
import type { CommandIo } from './io.ts';
import { overEntities } from './over-entities.ts';
import { tellOutcomes } from './tell-outcomes.ts';
import { logged, type RunWatch, watched } from './watched.ts';

type Compared = Comparison & { readonly written: WrittenComparison } & {
  readonly entity: string;
  readonly period: string;
};

const EMBEDDED = 'embedded';

/** Compare two services over a period of the entities that are meant: 0 when they agree, 1 when they do not. */
export const compareEntities = async (
  io: CommandIo,
  options: CompareOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  checkService(options);
  const configurations = await chooseEntities(options.config, options.entity);
  const isSeveral = configurations.length > 1;
  const outcomes = await watched(io, options, (watch) =>
    overEntities<Compared>(configurations, codeOf, (configuration) => {
      const { entity } = configuration;
      if (isSeveral && !options.json && !options.quiet) io.print(`${entity} ${period}\n`);
      return logged(watch.log, { entity, period }, () =>
        compareOne({ io, options, period, watch }, configuration),
      );
    }),
  );
  return tellOutcomes(io, options, outcomes, { about: { period }, figuresOf, textOf: comparisonText });
};

type Run = {
  readonly io: CommandIo;
  readonly options: CompareOptions;
  readonly period: string;
  readonly watch: RunWatch;
};

const compareOne = (
  { io, options, period, watch }: Run,
  configuration: LoadedConfiguration,
): Promise<Compared> => {
  const { entity, service } = configuration;
  const { maxCalculations, content } = options;
  const url = options.with === EMBEDDED ? undefined : options.with;
  const keyVariable = options.keyVariable ?? service.keyVariable;
  const second = { ...configuration, service: { ...service, keyVariable } };
  // Both are built beside the close: what an embedded one counts and records goes into books that are thrown away.
  return io.withService(configuration, { url: service.url, content: undefined }, (own) =>
    io.withService(second, { url, content }, (other) =>
      io.withClose(
        configuration,
        { output: options.output, content: undefined, recompute: false, maxCalculations },
        async (ports) => {
          await provePublishable(comparisonFolder(ports, periodOf(period)));
          const watching = watch.of(entity, period);
          const compared = await servicesCompared.run({ ...ports, own, other, ...watching }, { period });
          return { entity, period, ...compared };
        },
      ),
    ),
  );
};

const checkService = ({ with: named, content }: CompareOptions): void => {
  if (named !== EMBEDDED && !/^https?:\/\//.test(named))
    throw compareError(
      `"${named}" is no service`,
      'Name its base address, such as https://…/v2/, or `embedded`',
    );
  if (named !== EMBEDDED && content !== undefined)
    throw compareError('--content is for the embedded service, and another is named', 'Leave it out');
};

const compareError = (message: string, nextStep: string): TieoutError =>
  new TieoutError({ code: 'E_COMPARE', recovery: 'usage', message, nextStep });

const codeOf = ({ differences }: Compared): ExitCode =>
  differences.length === 0 ? ExitCode.clean : ExitCode.open;

const figuresOf = (compared: Compared): object => ({
  entity: compared.entity,
  period: compared.period,
  exit_code: codeOf(compared),
  own: compared.own,
  other: compared.other,
  sales: compared.sales,
  questions: compared.questions,
  files: compared.written.files.map((file) => join(compared.written.folder, file)),
  differences: compared.differences.map(({ tax, ownReasons, otherReasons, ...difference }) => ({
    ...difference,
    tax: formatMoney(tax),
    own_reasons: ownReasons,
    other_reasons: otherReasons,
  })),
});
