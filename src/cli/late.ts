import { Command } from 'commander';
import { configurationDigest } from '../close/configuration/configuration-digest.ts';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { type Decision, decideLate, type LateChoice } from '../close/periods/decide-late.ts';
import { decidedLines } from '../close/periods/decided-lines.ts';
import { findLate } from '../close/periods/find-late.ts';
import { type LateItem, recordOf } from '../close/periods/late-item.ts';
import { linesOfItems } from '../close/periods/late-lines.ts';
import { type LockResult, lockPeriod } from '../close/periods/lock-period.ts';
import { notLocked, unknownLateItem } from '../close/periods/period-errors.ts';
import type { ClosePorts } from '../close/stages/close-ports.ts';
import { extractSales } from '../close/stages/extract/extract-sales.ts';
import { recomputeLate } from '../close/stages/recompute/recompute-late.ts';
import { type Lock, locksOf } from '../close/workspace/locks.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { silentProgress } from '../runtime/progress.ts';
import { closePeriod } from './close-period.ts';
import type { CommandIo } from './io.ts';
import { type LateListing, lateObject, lateText } from './late-text.ts';
import { lockObject, lockText } from './lock.ts';
import { periodLabel } from './period-label.ts';

type Options = {
  readonly config: string;
  readonly entity?: string;
  readonly output?: string;
  readonly content?: string;
  readonly carry?: true | string[];
  readonly amend?: true | string[];
  readonly as?: string;
  readonly reason?: string;
  readonly openExceptions?: string;
  readonly json?: boolean;
};

/** `tieout late 2026-10`: what came late for a locked period, and what is done about it. */
export const lateCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('late')
    .argument('<period>', 'a locked period, such as 2026-10')
    .option('--carry [record...]', 'file these, or all, with the next open period')
    .option('--amend [record...]', 'file these, or all, in an amended version, which is closed and locked')
    .option('--as <name>', 'who decides')
    .option('--reason <why>', 'why')
    .option('--open-exceptions <why>', 'lock an amended version although exceptions are open, and say why')
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('-e, --entity <name>', 'the entity, when the configuration has several')
    .option('-o, --output <folder>', 'where the workbooks go, instead of `output` of the configuration')
    .option('--content <folder>', 'tax content, instead of the one that comes with Tieout')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (text: string, options: Options) => {
      const label = periodLabel(text);
      const configuration = await loadConfiguration(options.config, options.entity);
      const { output, content } = options;
      const ports = { output, content, recompute: false, maxCalculations: undefined };
      const told = await io.withClose(configuration, ports, (close) => answer(close, label, options));
      const { listing, amended } = told;
      if (options.json) io.print(`${JSON.stringify(objectOf(configuration.entity, told), null, 2)}\n`);
      else io.print(`${amended ? `${lockText(amended)}\n` : ''}${lateText(listing)}`);
      exit(listing.open.length === 0 ? ExitCode.clean : ExitCode.open);
    });

type Told = { readonly listing: LateListing; readonly amended: LockResult | undefined };

const objectOf = (entity: string, { listing, amended }: Told): object => ({
  entity,
  ...lateObject(listing),
  ...(amended && { amended: lockObject(amended) }),
});

const answer = async (ports: ClosePorts, label: string, options: Options): Promise<Told> => {
  const { workspace } = ports;
  await extractSales(ports, () => {});
  const locks = await locksOf(workspace);
  const lock = locks.find((other) => other.label === label && other.version === 0);
  if (!lock) throw notLocked(label);
  const items = await findLate(workspace, lock, locks);
  await recomputeLate(ports, items);
  const wish = options.amend ?? options.carry;
  if (wish === undefined) return { listing: await listingOf(ports, lock), amended: undefined };
  const choice: LateChoice = options.amend === undefined ? 'carry' : 'amend';
  const { as: who = '', reason: why = '' } = options;
  const decision: Decision = { choice, who, why, now: ports.clock.now() };
  const chosen = wish === true ? items : chosenOf(items, wish, label);
  await decideLate(workspace, lock, locks, { items: chosen, decision });
  const amended = choice === 'amend' ? await closeAmended(ports, lock, options) : undefined;
  return { listing: await listingOf(ports, lock), amended };
};

/** An order and its refunds share the name that the shop gave the order; each has an id of its own. */
const isNamed = (item: LateItem, name: string): boolean =>
  item.key === name || recordOf(item) === name || idOf(item) === name;

const chosenOf = (
  items: readonly LateItem[],
  names: readonly string[],
  label: string,
): readonly LateItem[] => {
  const unknown = names.find((name) => !items.some((item) => isNamed(item, name)));
  if (unknown !== undefined) throw unknownLateItem(label, unknown);
  return items.filter((item) => names.some((name) => isNamed(item, name)));
};

const idOf = ({ key }: LateItem): string => key.slice(key.lastIndexOf('/') + 1);

const listingOf = async ({ workspace }: ClosePorts, lock: Lock): Promise<LateListing> => {
  const open = await linesOfItems(workspace, await findLate(workspace, lock, await locksOf(workspace)));
  const decided = await decidedLines(workspace, lock.period);
  return { period: lock.label, digest: lock.digest, open, decided };
};

/** Close and lock the amended version that is open, if one is: also one that an earlier run was cut off in. */
const closeAmended = async (
  ports: ClosePorts,
  { period }: Lock,
  { as: who = '', openExceptions = '' }: Options,
): Promise<LockResult | undefined> => {
  const { workspace, configuration, clock } = ports;
  const open = (await locksOf(workspace)).find((lock) => lock.period === period && lock.state === 'open');
  if (!open) return undefined;
  await closePeriod({ ...ports, progress: silentProgress }, open.label);
  const digest = configurationDigest(configuration);
  return lockPeriod(workspace, {
    label: open.label,
    configuration: digest,
    who,
    openExceptions,
    now: clock.now(),
  });
};
