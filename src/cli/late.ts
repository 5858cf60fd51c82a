import { Command, Option } from 'commander';
import { late } from '../../pipelines/late.ts';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import type { LateLine } from '../close/figures/late-line.ts';
import type { LateListing } from '../close/stages/late/list-late.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { add, formatMoney, type Money, ZERO } from '../kernel/money.ts';
import { silentProgress } from '../runtime/progress.ts';
import { type EntityOptions, periodOf, withEntity } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { lockObject, lockText } from './lock.ts';

type Options = EntityOptions & {
  readonly output?: string;
  readonly content?: string;
  readonly carry?: true | string[];
  readonly amend?: true | string[];
  readonly as?: string;
  readonly reason?: string;
  readonly openExceptions?: string;
};

/** Builds `tieout late 2026-10`: lists the late items of a locked period and resolves them. */
export const lateCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntity(new Command('late'))
    .argument('<period>', 'a locked period, such as 2026-10')
    .addOption(
      new Option('--carry [record...]', 'file these, or all, with the next open period').conflicts('amend'),
    )
    .option('--amend [record...]', 'file these, or all, in an amended version, which is closed and locked')
    .option('--as <name>', 'who decides')
    .option('--reason <why>', 'why')
    .option('--open-exceptions <why>', 'lock an amended version although exceptions are open, and say why')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .option('--content <folder>', 'use this tax content folder instead of the built-in one')
    .action(async (text: string, options: Options) => {
      const label = periodOf(text).label;
      const configuration = await loadConfiguration(options.config, options.entity);
      const { output, content } = options;
      const ports = { output, content, recompute: false, maxCalculations: undefined };
      const { listing, amended, decided } = await io.withClose(configuration, ports, (close) =>
        late.run({ ...close, progress: silentProgress }, paramsOf(label, options)),
      );
      const object = {
        entity: configuration.entity,
        ...lateObject(listing),
        ...(decided !== undefined && { decided_now: decided }),
        ...(amended && { amended: lockObject(amended) }),
      };
      if (options.json) io.print(`${JSON.stringify(object, null, 2)}\n`);
      else
        io.print(
          `${undoneText(object, label, options)}${amended ? `${lockText(amended)}${toFileText(label)}\n` : ''}${lateText(listing)}`,
        );
      const waits = listing.open.length + listing.filedSince.length > 0 || listing.begun !== undefined;
      exit(waits ? ExitCode.open : ExitCode.clean);
    });

/** Says that the returns of an amended version that was locked are still to be filed. */
const toFileText = (label: string): string =>
  `File its returns now: \`tieout status ${label}\` lists what each leaves to pay beyond the return before it.\n`;

/** Says so where a choice had nothing to decide or to amend, and no amended version was closed and locked. */
const undoneText = (
  { decided_now: decided, amended }: { readonly decided_now?: number; readonly amended?: object },
  label: string,
  { amend }: Options,
): string => {
  if (decided === undefined || amended !== undefined) return '';
  if (decided === 0)
    return `Nothing was decided: no late item of ${label} is open. What is decided stays so until the exports state something else.\n\n`;
  return amend === undefined
    ? ''
    : 'No amended version was made: what was decided only takes back what was not filed yet.\n\n';
};

/** Returns the pipeline's parameters: with neither `--carry` nor `--amend`, nothing is decided. */
const paramsOf = (
  period: string,
  { carry, amend, as: who, reason: why, openExceptions }: Options,
): object => {
  const named = amend ?? carry;
  return {
    period,
    ...(named !== undefined && { choice: amend === undefined ? 'carry' : 'amend' }),
    ...(Array.isArray(named) && { records: named }),
    ...{ who, why, openExceptions },
  };
};

const FIGURES = ['gross', 'taxable', 'collected', 'expected'] as const;
type Totals = { readonly [Figure in (typeof FIGURES)[number]]: Money };

/** Sums the changes of all lines, state by state. */
export const effectsByState = (
  lines: readonly LateLine[],
): readonly (Totals & { readonly state: string })[] => {
  const states = new Map<string, Totals>();
  for (const line of lines) {
    const known = states.get(line.state) ?? { gross: ZERO, taxable: ZERO, collected: ZERO, expected: ZERO };
    states.set(line.state, {
      gross: add(known.gross, line.gross),
      taxable: add(known.taxable, line.taxable),
      collected: add(known.collected, line.collected),
      expected: add(known.expected, line.expected),
    });
  }
  return [...states]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([state, totals]) => ({ state, ...totals }));
};

const ID_WIDTH = 17;
const AMOUNT_WIDTH = 10;

/** Formats a row of at most 80 columns: transaction, change, state, four amounts. */
const rowOf = (id: string, what: string, state: string, amounts: readonly string[]): string =>
  [
    id.length > ID_WIDTH ? `${id.slice(0, ID_WIDTH - 1)}…` : id.padEnd(ID_WIDTH),
    what.padEnd(10),
    state.padEnd(2),
    ...amounts.map((amount) => amount.padStart(AMOUNT_WIDTH)),
  ].join(' ');

const HEADER = rowOf('Transaction', 'What', '', ['Gross', 'Taxable', 'Collected', 'Expected']);

const amountsOf = (totals: Totals): readonly string[] => FIGURES.map((figure) => formatMoney(totals[figure]));

const lineText = (line: LateLine): string => rowOf(line.id, line.kind, line.state, amountsOf(line));

/** Formats late items for people. */
const lateText = ({ period, digest, open, decided, filedSince, begun }: LateListing): string => {
  const lines = [`${period} is locked, digest ${digest.slice(0, 12)}.`];
  if (begun !== undefined)
    lines.push(
      `${begun} was begun and is not locked: \`tieout late ${period} --amend\` closes and locks it.`,
    );
  else if (filedSince.length > 0)
    lines.push(
      `Its returns are out of date, because ${filedSince.join(', ')} was filed since: --amend files them again.`,
    );
  else if (open.length === 0) lines.push('Nothing that came late is open.');
  if (open.length > 0) {
    lines.push('', 'Open: carry with --carry, or amend with --amend', HEADER, ...open.map(lineText));
    lines.push(...effectsByState(open).map((state) => rowOf('All in', '', state.state, amountsOf(state))));
  }
  for (const choice of ['carried', 'amended'] as const) {
    const own = decided.filter((line) => line.choice === choice);
    if (own.length === 0) continue;
    lines.push('', `Decided: ${choice}`, HEADER, ...own.map(lineText));
    lines.push(...effectsByState(own).map((state) => rowOf('All in', '', state.state, amountsOf(state))));
  }
  return `${lines.join('\n')}\n`;
};

const lineObject = ({ gross, taxable, collected, expected, ...line }: LateLine): object => ({
  ...line,
  gross: formatMoney(gross),
  taxable: formatMoney(taxable),
  collected: formatMoney(collected),
  expected: formatMoney(expected),
});

/** Returns late items as JSON, with amounts as decimal text. */
const lateObject = ({ period, digest, open, decided, filedSince, begun }: LateListing): object => ({
  period,
  digest,
  begun: begun ?? null,
  filed_since: filedSince,
  open: open.map(lineObject),
  decided: decided.map(lineObject),
  effects: effectsByState(open).map(({ state, ...totals }) => ({
    state,
    ...Object.fromEntries(FIGURES.map((figure) => [figure, formatMoney(totals[figure])])),
  })),
});
