import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { contentFolder } from '../close/configuration/content-folder.ts';
import { type LoadedConfiguration, loadConfiguration } from '../close/configuration/load-configuration.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { formatMoney, type Money, sum } from '../kernel/money.ts';
import { quoted } from '../kernel/quoted-path.ts';
import { formatPercent, formatRate } from '../kernel/rate.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import type {
  DraftedRates,
  Evidence,
  SuggestedRate,
  UnresolvedTax,
} from '../service/suggest/suggested-rate.ts';
import { commandOptions, type EntityOptions, periodOf, withEntities } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { textTable } from './text-table.ts';

type Options = EntityOptions & {
  readonly content?: string;
  readonly output?: string;
};

/** Builds `tieout content suggest`: drafts missing rates from a closed period, for a person to review. */
export const suggestCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('suggest'))
    .description('Draft missing rates from what the shop charged')
    .argument('<period>', 'a closed month such as 2026-10, or 2026-Q4, 2026-H2, 2026, or 2026-10..2026-12')
    .option('--content <folder>', 'the content that the period was closed with')
    .option(
      '-o, --output <file>',
      'write the CSV there (default: suggested-rates/<period>.csv beside the configuration)',
    )
    .action(async (period: string, options: Options) => exit(await suggest(io, period, options)));

/** Returns 0 if the file has every missing rate, 1 if some are listed for a person to look up. */
const suggest = async (io: CommandIo, label: string, options: Options): Promise<ExitCode> => {
  const period = periodOf(label);
  const configuration = await loadConfiguration(options.config, options.entity);
  const file = options.output ?? join(dirname(options.config), 'suggested-rates', `${period.label}.csv`);
  await proveWritable(dirname(resolve(file)));
  const { gapEvidence } = await import('../close/stages/suggest/gap-evidence.ts');
  const { draftRates } = await import('../service/suggest/draft-rates.ts');
  const { suggestionFile } = await import('../service/suggest/suggested-rate.ts');
  const evidence = await io.withWorkspace(configuration, (workspace) => gapEvidence(workspace, period));
  const content = await io.loadContent(contentFolder(configuration, options.content));
  const drafted = draftRates(content, evidence, { from: configuration.shipFrom, since: period.first });
  const written = drafted.rates.length > 0;
  if (written)
    await writeDraft(
      file,
      suggestionFile(drafted.rates, { entity: configuration.entity, period: period.label }),
    );
  const next = written ? nextCommands(configuration, { ...options, file, label: period.label }) : [];
  const code = drafted.unresolved.length === 0 ? ExitCode.clean : ExitCode.open;
  io.print(
    options.json
      ? `${JSON.stringify({ period: period.label, exit_code: code, file: written ? file : null, ...figuresOf(drafted), next }, null, 2)}\n`
      : textOf(drafted, period.label, file, next),
  );
  return code;
};

/**
 * Writes the draft. It keeps an existing file with other text, because a person edits it.
 *
 * @throws {TieoutError} E_SUGGESTION_EXISTS
 */
const writeDraft = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
    throw new TieoutError({
      code: 'E_SUGGESTION_EXISTS',
      message: `${file} is there already, and is not what would be written: it may have been reviewed.`,
      nextStep: 'Name another file with --output, or remove that one.',
    });
  }
};

/** Lists the commands to run after the file is reviewed. */
const nextCommands = (
  configuration: LoadedConfiguration,
  { config, entity, content, file, label }: Options & { readonly file: string; readonly label: string },
): readonly string[] => {
  const configured = contentFolder(configuration, undefined);
  const folder = content ?? (configured === undefined ? 'my-content' : shownPath(configured));
  const isKept = content === undefined && configured !== undefined;
  const close = [
    `tieout close ${label}${commandOptions({ config, entity })}`,
    ...(isKept ? [] : [`--content ${quoted(folder)}`]),
  ];
  return [`tieout content import ${quoted(file)} --content ${quoted(folder)}`, close.join(' ')];
};

const shownPath = (path: string): string => {
  const near = relative('.', path);
  return near.startsWith('..') ? path : near;
};

const figuresOf = ({ rates, unresolved }: DraftedRates): object => ({
  rates: rates.map(({ rate, evidence, ...row }) => ({
    ...row,
    rate: formatRate(rate),
    confidence: 'shop',
    evidence: evidenceObject(evidence),
  })),
  unresolved: unresolved.map(({ rate, evidence, ...tax }) => ({
    ...tax,
    rate: rate === null ? null : formatRate(rate),
    evidence: evidenceObject(evidence),
  })),
});

const evidenceObject = ({ amount, ...evidence }: Evidence): object => ({
  ...evidence,
  amount: formatMoney(amount),
});

const textOf = (
  { rates, unresolved }: DraftedRates,
  label: string,
  file: string,
  next: readonly string[],
): string => {
  if (rates.length === 0 && unresolved.length === 0)
    return `${label}: no variance comes from a rate that the tax content lacks; there is nothing to suggest\n`;
  const lines = [
    ...(rates.length > 0 ? [textTable([HEADER, ...rates.map(rowOf)]).trimEnd(), ''] : []),
    ...(unresolved.length > 0
      ? ['not suggested, to be looked up:', ...unresolved.map(unresolvedLine), '']
      : []),
    `${rates.length} rates for ${formatMoney(amountOf(rates))} of variance, ${formatMoney(amountOf(unresolved))} left to be looked up`,
    ...(rates.length > 0
      ? [
          `${file}: check each rate against the authority’s own list, then`,
          ...next.map((command) => `  ${command}`),
          ...(next[1]?.includes(' --content ') === true
            ? ['`content:` in tieout.yaml keeps the folder for every later close']
            : []),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
};

const HEADER = ['State', 'Level', 'Name', 'Rate', 'Sales', 'Tax', 'From'];

const rowOf = ({ state, level, name, rate, evidence: { sales, amount }, from }: SuggestedRate) => [
  state,
  level,
  name,
  formatPercent(rate),
  String(sales),
  formatMoney(amount),
  from,
];

const unresolvedLine = ({ state, name, rate, why, evidence }: UnresolvedTax): string => {
  const { sales, places, amount, example } = evidence;
  const what = rate === null || name.includes('%') ? name : `${name} ${formatPercent(rate)}`;
  const many = sales === 1 ? '1 sale' : `${sales} sales`;
  return `  ${state}: ${what}, ${many} to ${places.join(', ')}, ${formatMoney(amount)}, such as ${example}: ${why}`;
};

const amountOf = (taxes: readonly { readonly evidence: Evidence }[]): Money =>
  sum(taxes.map(({ evidence: { amount } }) => amount));
