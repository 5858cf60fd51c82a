import { join } from 'node:path';
import { servicesCompared } from '../../pipelines/compare-services.ts';
import { REFUSED } from '../close/answer-differences/answer-fields.ts';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { ComparedSale } from '../close/report/sheets/compared-sales.ts';
import type { Comparison } from '../close/stages/compare/compare-services.ts';
import { comparisonFolder, type WrittenComparison } from '../close/stages/compare/write-comparison.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { formatMoney, type Money, sum } from '../kernel/money.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { provePublishable } from '../runtime/publish-folder.ts';
import { type CloseCommandOptions, periodOf } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { overPeriod } from './over-entities.ts';
import { printOutcomes } from './print-outcomes.ts';
import type { RunWatch } from './watched.ts';

export type CompareOptions = CloseCommandOptions & {
  readonly with: string;
  readonly keyVariable?: string;
  readonly insecure?: boolean;
};

type Compared = Comparison & { readonly written: WrittenComparison } & {
  readonly entity: string;
  readonly period: string;
};

const EMBEDDED = 'embedded';

/** Compares two services over a period of the selected entities: 0 if they agree, otherwise 1. */
export const compareEntities = async (
  io: CommandIo,
  options: CompareOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  checkService(options);
  const outcomes = await overPeriod(io, { ...options, period }, codeOf, ({ configuration, watch }) =>
    compareOne({ io, options, period, watch }, configuration),
  );
  return printOutcomes(io, options, outcomes, { about: { period }, figuresOf, textOf: comparisonText });
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
  const second = { ...configuration, service: { ...service, ...accessOf(service, options, url) } };
  // Both services are separate from the close: an embedded one counts and records in a database that is discarded.
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

/**
 * Returns how the second service is reached. The key of the own service, and the leave to reach it over plain HTTP, are
 * for its own address only: another vendor must not get the key.
 */
const accessOf = (
  own: LoadedConfiguration['service'],
  { keyVariable, insecure = false }: CompareOptions,
  url: string | undefined,
) => {
  if (url === undefined || own.url === undefined || new URL(url).origin === new URL(own.url).origin)
    return { keyVariable: keyVariable ?? own.keyVariable, insecure: own.insecure || insecure };
  if (keyVariable === undefined)
    throw compareError(
      `${url} is another service than ${own.url}, and the key for it is not named`,
      `Name the environment variable that holds it: \`--key-variable NAME\`. The key in ${own.keyVariable} is sent to ${own.url} only`,
    );
  return { keyVariable, insecure };
};

const checkService = ({ with: named, content }: CompareOptions): void => {
  if (named !== EMBEDDED && !/^https?:\/\//.test(named))
    throw compareError(
      `"${named}" is not a service`,
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

/** Maximum number of sales listed, and of sentences per side; the workbook has all of them. */
const SALES_SHOWN_MAX = 10;
const REASONS_SHOWN_MAX = 3;
const WIDTH = 80;

type Told = Comparison & {
  readonly written: WrittenComparison;
  readonly entity: string;
  readonly period: string;
};

/** Formats the differences between two services as a table of at most 80 columns. */
const comparisonText = (comparison: Told, isSeveral: boolean): string => {
  const { entity, period, own, other, differences, written } = comparison;
  const lines = [
    ...(isSeveral ? ['', `${entity} ${period}`] : []),
    clip(`own:   ${own}`),
    clip(`other: ${other}`),
    ...(differences.length === 0 ? [] : ['', ...fieldLines(differences), '']),
    ...differences.slice(0, SALES_SHOWN_MAX).flatMap(saleLines),
    ...(differences.length > SALES_SHOWN_MAX
      ? [`and ${differences.length - SALES_SHOWN_MAX} more, which are in the workbook`]
      : []),
    verdict(comparison),
    ...written.files.map((file) => join(written.folder, file)),
  ];
  return `${lines.join('\n')}\n`;
};

const verdict = ({ questions, sales, differences }: Comparison): string => {
  if (questions === 0) return 'no sale of the period needs a calculation';
  if (differences.length === 0)
    return `the same result of all ${shownNumber(questions, 'calculation')} for ${shownNumber(sales, 'sale')}`;
  const tax = sum(differences.map(({ taxOfAll }) => taxOfAll));
  const refused = differences.filter(isRefused).reduce((total, one) => total + one.sales, 0);
  const count = differences.reduce((total, one) => total + one.sales, 0);
  const unanswered = refused === 0 ? '' : ` where both answered; ${refused} were refused by one of them`;
  return `${count} of ${sales} sales differ; the other service has ${signed(tax)} tax${unanswered}`;
};

const isRefused = ({ fields }: ComparedSale): boolean => fields.some(({ field }) => field === REFUSED);

const signed = (amount: Money): string => (amount > 0 ? `+${formatMoney(amount)}` : formatMoney(amount));

/** Counts the sales that differ in each field. */
const fieldLines = (differences: readonly ComparedSale[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { fields, sales } of differences)
    for (const { field } of fields) counts.set(field, (counts.get(field) ?? 0) + sales);
  const words = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([field, count]) => `${field} ${count}`);
  return wrapped('fields: ', words);
};

const wrapped = (label: string, words: readonly string[]): readonly string[] => {
  const lines = [label];
  for (const [index, word] of words.entries()) {
    const piece = index < words.length - 1 ? `${word}, ` : word;
    const last = lines.at(-1) ?? '';
    if ((last + piece).trimEnd().length <= WIDTH) lines[lines.length - 1] = last + piece;
    else lines.push(' '.repeat(label.length) + piece);
  }
  return lines.map((line) => line.trimEnd());
};

const saleLines = ({ record, state, date, sales, tax, fields, ownReasons, otherReasons }: ComparedSale) => [
  clip(`${record} ${state} ${date}${sales > 1 ? ` and ${sales - 1} like it` : ''}: ${signed(tax)}`),
  ...fields.map(({ field, own, other }) =>
    clip(`  ${field.padEnd(24)} ${clip(own, 24).padEnd(25)} ${clip(other, 24)}`.trimEnd()),
  ),
  ...ownReasons.slice(0, REASONS_SHOWN_MAX).map((reason) => clip(`    own:   ${reason}`)),
  ...otherReasons.slice(0, REASONS_SHOWN_MAX).map((reason) => clip(`    other: ${reason}`)),
];

const clip = (text: string, width = WIDTH): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;
