import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import { decisionIndexOf, type LoadedConfiguration } from '../configuration/load-configuration.ts';
import { type Entry, rowOf } from '../evidence/entry.ts';
import { type LateLine, lateLines } from '../figures/late-line.ts';
import { ANSWERS } from '../judge/decision.ts';
import { detailLineOf } from '../judge/detail-row.ts';
import { type Asked, type Finding, finding } from '../judge/finding.ts';
import { fileDigests } from '../judge/input-findings.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { amendedPeriod, amendmentNumber, type FilingPeriod, isWithin } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { type Exports, keyOfAside, type Statement } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import type { ClosePorts } from './close-ports.ts';
import { type Case, correctionOf, countsIn, inEffect, isOpenIn, nextLabel } from './corrections.ts';
import {
  type Correction,
  type CorrectionEntry,
  isPosted,
  type LateChoice,
  type LockedSale,
  lockedSales,
  type TodaysStatement,
} from './fold.ts';
import type { LockedPeriod, Locks } from './folders.ts';
import { type LockedKeys, readKeys } from './keys.ts';

/** What locked periods and today's exports say of the same sales. */
export type LateItems = {
  readonly corrections: readonly Correction[];
  /** Sales of which half of a correction is locked, and nothing is stated. */
  readonly halves: readonly LockedSale[];
  /** What exports state of locked days that is in no locked folder and cannot be posted: it is open behind the lock. */
  readonly held: readonly Statement[];
  readonly rejected: readonly ChannelSetAside[];
  /** Whether a sale of a day is locked, or its day is: then it is in no open books but by a correction. */
  readonly isLocked: (key: string, day: CalendarDate) => boolean;
};

const NOTHING_LATE: LateItems = {
  corrections: [],
  halves: [],
  held: [],
  rejected: [],
  isLocked: () => false,
};

/** Compares what stands in the locked periods with what the exports state today. Lines are read of what differs alone. */
export const lateItems = async (
  { configuration }: Pick<ClosePorts, 'configuration'>,
  locks: Locks,
  exports: Exports,
): Promise<LateItems> => {
  if (locks.periods.length === 0) return NOTHING_LATE;
  const keys = await readKeys(locks.periods);
  const { today, held, rejected } = statementsOf(locks, exports, keys);
  const isWanted = (key: string): boolean => today.has(key) || keys.unsettled.has(keys.nameOf(key));
  const locked =
    today.size + keys.unsettled.size === 0
      ? new Map<string, LockedSale>()
      : await lockedSales(locks.periods, isWanted);
  for (const [key, { standing }] of locked)
    if (!today.has(key) && standing.length > 1) today.set(key, { key, file: '' });
  const { lateItems: stated } = configuration.policy;
  const policy = stated === 'carry' ? 'next' : stated;
  const answer = answersOf(configuration);
  const isOfOldName = renamedChannels(configuration, locks, keys);
  const corrections = [...today.values()].flatMap((one): Correction[] => {
    const asked = isOfOldName(one.key) ? 'ask' : policy;
    const found = correctionOf({ answer, policy: asked, locks, locked: locked.get(one.key), today: one });
    return found ? [found] : [];
  });
  return {
    corrections: corrections.sort((one, other) => compareText(one.key, other.key)),
    held,
    rejected,
    halves: [...locked.values()].filter(({ key, isHalf }) => isHalf && !today.has(key)),
    isLocked: (key, day) => locks.holding(day) !== undefined || keys.has(key) !== undefined,
  };
};

/** Whether a locked folder has a sale under another name of its channel: only a person knows whether it is a new one. */
const renamedChannels = ({ channels }: LoadedConfiguration, locks: Locks, keys: LockedKeys) => {
  const locked = locks.periods.flatMap(({ content }) => Object.entries(content.derivation.providers));
  const providers = new Map(channels.map(({ name, provider = name }) => [name, provider]));
  return (key: string): boolean => {
    const { channel, kind, id } = nameOfKey(key);
    const names = locked.filter(
      ([name, provider]) => name !== channel && provider === providers.get(channel),
    );
    return names.some(([name]) => keys.has(saleKey(name, kind, id)) !== undefined);
  };
};

/**
 * Returns what the exports state of locked sales and of locked days, but for what stands as it is stated; and of what new
 * files state of them, what is held or rejected: it is asked about by itself.
 */
const statementsOf = (
  { holding }: Locks,
  { sales, asides, undated, inputs }: Exports,
  keys: LockedKeys,
): Pick<LateItems, 'held' | 'rejected'> & { readonly today: Map<string, TodaysStatement> } => {
  const fileOfRecord = fileDigests(inputs);
  const today = new Map<string, TodaysStatement>();
  const rejected: ChannelSetAside[] = [];
  const setAside = (aside: ChannelSetAside, lock: LockedPeriod | undefined): void => {
    const key = keyOfAside(aside);
    const file = fileOfRecord(aside);
    if (!today.has(key) && keys.has(key)?.standing) today.set(key, { key, aside, file });
    if (lock && aside.outcome === 'rejected' && !isInputOf(lock, file)) rejected.push(aside);
  };
  for (const aside of undated) setAside(aside, undefined);
  for (const day of asides.days()) for (const aside of asides.read(day)) setAside(aside, holding(day));
  const held: Statement[] = [];
  for (const day of sales.days()) {
    const lock = holding(day);
    for (const statement of sales.read(day)) {
      const { sale, stated, file } = statement;
      const { key } = sale;
      const own = keys.has(key);
      today.delete(key);
      if (!own && !lock) continue;
      const isStated = own?.stated === stated;
      const isAsLocked = isPosted(statement) ? own?.standing === 1 && isStated : !own?.standing;
      if (!isAsLocked) today.set(key, { key, statement, file });
      const isHeld = postingOf(sale) === 'needs review' && !isStated;
      if (isHeld && !(lock && isInputOf(lock, file))) held.push(statement);
    }
  }
  return { today, held, rejected };
};

const isInputOf = ({ content }: LockedPeriod, file: string): boolean =>
  content.inputs.some(({ sha256 }) => sha256 === file);

/** What only the program or the configuration reads otherwise is answered by sale, or for the file as a whole. */
const answersOf = (configuration: LoadedConfiguration): Case['answer'] => {
  const { ofStated } = decisionIndexOf(configuration);
  const choiceOf = ({ code, key, stated }: Omit<Asked, 'choices'>): LateChoice | undefined => {
    const verdict = ofStated(code, key, stated)?.verdict;
    return ANSWERS.R17.find((choice) => choice === verdict);
  };
  return (today, stated, isReread) =>
    choiceOf({ code: 'R17', key: today.key, stated }) ?? (isReread ? choiceOf(fileOf(today)) : undefined);
};

/** The question about a file of which only the reading has changed. */
const fileOf = ({ statement, aside, file, key }: Correction['today']): Asked => {
  const path = (statement?.sale ?? aside)?.origin.file ?? '';
  const [channel = ''] = key.split('/');
  return question(saleKey(channel, 'order', path), file.slice(0, 16));
};

const question = (key: string, stated: string): Asked => ({
  code: 'R17',
  key,
  stated,
  choices: ANSWERS.R17,
});

/** Returns the statements that corrections add to the books of a period. */
export const correctionsIn = (late: LateItems, locks: Locks, period: FilingPeriod): readonly Statement[] =>
  decidedEntries(late)
    .filter((entry) => countsIn(entry, locks, period))
    .map(statementOf);

/** Returns the entries of corrections that are decided. */
export const decidedEntries = ({ corrections }: LateItems): readonly CorrectionEntry[] =>
  corrections.flatMap((one) => (isForeseen(one) ? [] : one.entries));

/** Returns what exports state of locked days that is held, and that no locked folder has. */
export const heldIn = (
  { held }: LateItems,
  { openFrom }: Locks,
  period: FilingPeriod,
): readonly Statement[] => held.filter(({ sale }) => isWithin(period, openFrom(sale.businessDate)));

const statementOf = ({ sale, marks, reverses }: CorrectionEntry): Statement => ({
  sale,
  file: '',
  ...marks,
  ...(reverses?.figures && { reverses: reverses.figures }),
});

/** Returns the statements of late items that are calculated in a period and not recorded, to show what they would change. */
export const foreseenIn = (
  { corrections }: LateItems,
  locks: Locks,
  period: FilingPeriod,
): readonly Statement[] =>
  corrections
    .filter((one) => isForeseen(one) && isOpenIn(one, locks, period))
    .flatMap(({ entries }) => entries.map(statementOf));

const isForeseen = ({ choice }: Correction): boolean => choice === 'ask' || choice === 'leave';

/** Returns what late items would change that are asked about in a period; what is left as it was filed, too. */
export const undecidedIn = async (
  { corrections }: LateItems,
  locks: Locks,
  period: FilingPeriod,
  foresee: (statements: readonly Statement[]) => Promise<readonly Entry[]>,
): Promise<readonly LateLine[]> => {
  const lines = lateLines();
  const questions = new Map<string, Asked>();
  for (const correction of corrections) {
    const { choice, today, key, stated, isReread } = correction;
    if (!isForeseen(correction) || !isOpenIn(correction, locks, period)) continue;
    const isOfFile = isReread && choice === 'ask';
    const asked = isOfFile ? fileOf(today) : question(key, stated);
    questions.set(asked.key, asked);
    for (const entry of await foresee(correction.entries.map(statementOf)))
      if (entry.version) lines.add(detailLineOf(rowOf(entry)), { ...entry.version, of: asked.key });
  }
  return lines.lines().map((line): LateLine => {
    const asked = questions.get(line.key);
    return { ...line, choice: 'open', ...(asked && { asked }) };
  });
};

/** Leaves out what is locked: its entries stand in folders. What is rejected since is of the first open day behind. */
export const openOf = (
  exports: Exports,
  { holding, openFrom }: Locks,
  { isLocked, rejected }: LateItems,
): Exports => {
  const { sales, asides } = exports;
  const moved = Map.groupBy(rejected, ({ businessDate }) => openFrom(businessDate as CalendarDate));
  const isOpen = (day: CalendarDate): boolean => holding(day) === undefined;
  const openAmong = (day: CalendarDate, statements: readonly Statement[]): readonly Statement[] =>
    statements.filter(({ sale }) => !isLocked(sale.key, day));
  return {
    ...exports,
    sales: {
      days: () => sales.days().filter(isOpen),
      find: (day, isWanted) => openAmong(day, sales.find(day, isWanted)),
      read: (day) => openAmong(day, sales.read(day)),
      *parts(day) {
        for (const statements of sales.parts(day)) yield openAmong(day, statements);
      },
    },
    asides: {
      ...asides,
      days: () => [...new Set([...asides.days().filter(isOpen), ...moved.keys()])],
      read: (day) => [...asides.read(day), ...(moved.get(day) ?? [])],
    },
  };
};

/** Returns what keeps an open period from being ready until a locked one is amended, or a correction has its other half. */
export const findingsOfLate = (
  { corrections, halves }: LateItems,
  locks: Locks,
  period: FilingPeriod,
): readonly Finding[] => {
  const amended = corrections.filter((one) => one.choice === 'amend' && isOpenIn(one, locks, period));
  const labels = new Set(
    amended.flatMap(({ entries }) =>
      entries.flatMap(({ place }) => ('amends' in place ? [place.amends] : [])),
    ),
  );
  return [
    ...[...labels].map((label): Finding => {
      const name = nextLabel(locks, label);
      const message = `Late arrival: ${name} is not locked yet: \`tieout close ${label} --amend\`, then \`tieout lock ${name}\``;
      return finding('R17', message, { record: name });
    }),
    ...halves.flatMap(({ versions }): readonly Finding[] => {
      const last = versions.at(-1);
      if (!last || !isOpenIn({ period: last.period.label }, locks, period)) return [];
      const { origin, shipTo } = last.sale;
      const message = `Late arrival: it was reversed in a locked period, and what takes its place is neither locked nor stated`;
      return [finding('R17', message, { origin, state: shipTo.state })];
    }),
  ];
};

/** Returns the locked periods whose entries are in the books of a period as they were filed. */
export const frozenIn = (locks: Locks, period: FilingPeriod): readonly LockedPeriod[] => {
  const number = amendmentNumber(period.label);
  const own = inEffect(locks, period.label);
  const within = locks.periods.filter(({ first, last }) => isWithin(period, first) && isWithin(period, last));
  if (number === 0) return within;
  if (own?.version === number - 1) return own.isOfReturns ? within : [own];
  throw new TieoutError({
    code: 'E_PERIOD_NOT_LOCKED',
    message: `${period.label} cannot be closed: ${own ? `the version in effect is ${own.name}` : `${amendedPeriod(period.label)} is not locked`}`,
    nextStep: 'An amended version is made of the locked one before it: `tieout close 2026-10 --amend`.',
  });
};
