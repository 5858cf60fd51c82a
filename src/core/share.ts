import { randomUUID } from 'node:crypto';
import { calculationCache } from '../ask/answers.ts';
import { providerOf, workParts } from '../configuration/parts.ts';
import { lineFrom } from '../evidence/entry.ts';
import { DefectError } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareKeys } from '../kernel/text.ts';
import { type Advanced, type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import type { Named } from './listing.ts';
import { recordsOf } from './locked.ts';
import { noneOf } from './outcome.ts';
import { recordKeeper } from './record.ts';
import {
  type Batch,
  type CalculationCounts,
  calculateBatch,
  type SettledBatch,
  type Settler,
  settleBatch,
} from './settle-batch.ts';

/** A batch of a close, with what a worker must have in common with it. */
export type Work = Batch & {
  readonly entity: string;
  readonly build: string;
  readonly period: FilingPeriod;
  /** The id of one close: what a worker has listed for another one says nothing. */
  readonly run: string;
};

type RecordCounts = ReturnType<typeof recordKeeper>['counts'];

/** What a worker did. */
type Worked = SettledBatch & {
  readonly counts: CalculationCounts;
  readonly recorded: RecordCounts;
  readonly asked: number;
};

/** Writes what a worker did as text: the lines of the entries stand behind all else. */
const workedText = ({ entries, ...rest }: Worked): string =>
  [JSON.stringify(rest), ...entries.map(({ text }) => text)].join('\n');

const readWorked = (text: string): Worked => {
  const [rest = '', ...lines] = text.split('\n');
  return { ...(JSON.parse(rest) as Omit<Worked, 'entries'>), entries: lines.map(lineFrom) };
};

/**
 * Returns what has a worker settle a batch, if there are workers. Where calls are billed or counted, the close makes the
 * calculations itself, and its workers record and compare. What is returned takes the batch over when its turn comes.
 */
export const batchAsker = (settler: Settler, advanced: () => void) => {
  const { ports, period } = settler;
  const { queued } = ports;
  if (!queued) return undefined;
  const { entity } = ports.configuration;
  const common = { entity, build: buildOf(ports), period, run: randomUUID() };
  const isAsking = !isEmbedded(ports) || ports.maxCalculations !== undefined;
  const textOf = async (given: Batch): Promise<string> => {
    const calculated = isAsking && { calculations: await calculateBatch(settler, given) };
    const work: Work = { ...common, ...given, ...calculated };
    return JSON.stringify(work);
  };
  // Batches wait for each other as texts, since objects that wait cost more to keep than to write and read again.
  return (given: Batch) => {
    const { day } = given;
    return textOf(given).then(async (work) => {
      const worked = await queued.ask(work, advanced);
      return () => takeWorked(settler, { day, work, worked });
    });
  };
};

/** Takes over what a worker did, settles what it left, and returns the whole batch as if it had been settled here. */
const takeWorked = async (
  settler: Settler,
  texts: Pick<Batch, 'day'> & { readonly work: string; readonly worked: string },
): Promise<SettledBatch> => {
  const { day } = texts;
  const { counts, recorded, asked, ...worked } = readWorked(texts.worked);
  const { ports, calls } = settler;
  const keeper = settler.keeperOf(day);
  addTo(settler.counts, counts);
  addTo(keeper.counts, recorded);
  calls.asked += asked;
  let unlisted = 0;
  for (const name of namesIn(ports, worked)) {
    await keeper.listed.until(name, day);
    if (!keeper.listed.take(name)) unlisted += 1;
  }
  keeper.listed.discount(Math.max(0, recorded.created - unlisted));
  if (worked.left.length === 0) return worked;
  const left = new Set(worked.left);
  const batch = JSON.parse(texts.work) as Work;
  const sales = batch.sales.filter(({ sale }) => left.has(sale.key));
  const own = await settleBatch(settler, { ...batch, sales });
  return {
    left: [],
    entries: [...worked.entries, ...own.entries].sort((one, other) =>
      compareKeys(one.entry.sale.key, other.entry.sale.key),
    ),
    waiting: [...worked.waiting, ...own.waiting],
  };
};

const addTo = <Name extends string>(
  counts: Record<Name, number>,
  more: Readonly<Record<Name, number>>,
): void => {
  for (const name of Object.keys(more) as Name[]) counts[name] += more[name];
};

/** Returns the names of the records that the service has of a batch. */
const namesIn = (ports: ClosePorts, { entries, waiting }: SettledBatch): readonly Named[] => [
  ...entries.flatMap(({ entry }) => recordsOf(entry, providerOf(ports.configuration, entry.sale.channel))),
  ...waiting.flatMap(({ sale, posted: { recorded } }) => {
    const shelf = { kind: sale.kind, provider: providerOf(ports.configuration, sale.channel) };
    const all = recorded.record ? [recorded.record, ...recorded.adjustments] : [];
    return all.map((record): Named => ({ ...shelf, id: record.transaction_id }));
  }),
];

/** What a worker says of a batch, as text; or why another one must do it. */
export type BatchOutcome = { readonly done: string } | { readonly refused: string };

/** Does a batch of one of some closes. An error that `advanced` throws stops it. */
export type BatchTaker = (work: Work, advanced: Advanced) => Promise<BatchOutcome>;

/** Returns what settles batches of these entities, one after the other. */
export const batchTaker = (closes: readonly ClosePorts[]): BatchTaker => {
  /** What was listed around a day counts for one close alone. */
  let listed:
    | {
        readonly of: string;
        readonly keeper: ReturnType<typeof recordKeeper>;
      }
    | undefined;
  return async (work, advanced) => {
    const { entity, build, period, run, day } = work;
    const ports = closes.find(({ configuration }) => configuration.entity === entity);
    if (!ports) throw new DefectError(`a batch of ${entity}, and this worker has no such entity`);
    const own = buildOf(ports);
    if (own !== build) return { refused: `it is ${own}, and the close is ${build}` };
    const of = `${run} ${day}`;
    if (listed?.of !== of) listed = { of, keeper: keeperAlone(ports, work) };
    const { keeper } = listed;
    const before = { ...keeper.counts };
    const counts = noneOf('calculated', 'known', 'skipped', 'refused');
    const cache = calculationCache(ports, () => advanced(0));
    const calls = { cache, asked: 0, left: Number.MAX_SAFE_INTEGER };
    const settled = await settleBatch(
      {
        ports,
        period,
        counts,
        calls,
        isHelper: true,
        keeperOf: () => keeper,
      },
      work,
    );
    const recorded = { ...keeper.counts };
    for (const name of Object.keys(before) as (keyof RecordCounts)[]) recorded[name] -= before[name];
    // The close counts them where it settles them.
    recorded.conflicts -= settled.left.length;
    return { done: workedText({ ...settled, counts, recorded, asked: calls.asked }) };
  };
};

/** Keeps records around one day. It has no answers and sees no other day, so that it leaves what needs either. */
const keeperAlone = (ports: ClosePorts, { day }: Batch): ReturnType<typeof recordKeeper> => {
  const configuration = { ...ports.configuration, decided: [] };
  return recordKeeper({ ...ports, configuration }, { first: day, last: day }, () => false);
};

/** What must be equal in two processes, so that one can do the work of the other, in words. */
const buildOf = (ports: ClosePorts): string => {
  const { service, configuration } = workParts(ports);
  const program = `${ports.program} (${ports.programDigest.slice(0, 8)})`;
  return `${program} with ${service} and the configuration ${configuration.slice(0, 8)}`;
};
