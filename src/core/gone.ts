import { join } from 'node:path';
import type { ChannelSetAside } from '../books/files-to-fill-in.ts';
import type { Entry } from '../evidence/entry.ts';
import { logPath, readLines, readLog } from '../evidence/log-file.ts';
import type { GoneFile, ManifestContent } from '../evidence/manifest.ts';
import { recordDigest } from '../evidence/stray.ts';
import { ANSWERS, type DecisionIndex, lineKey, type Verdict } from '../judge/decision.ts';
import { type Asked, type Finding, finding } from '../judge/finding.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { digestOf } from '../kernel/json.ts';
import { negate, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import type { PublishedPeriod } from '../periods/folders.ts';
import { keyOfAside } from '../read/shapes.ts';
import { postingOf } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';

/** What the exports say today, as far as it shows what they lack. */
type Today = {
  readonly inputs: readonly Pick<ManifestContent['inputs'][number], 'channel' | 'path' | 'sha256'>[];
  readonly readings: readonly NonNullable<ManifestContent['readings']>[number][];
  /** Whether they have a sale or a record that was set aside under a key. */
  readonly has: (key: string) => boolean;
};

/** The code of a file that is gone with posted sales. */
const GONE = 'export-gone';

/**
 * Returns the files of the last close whose bytes are gone, with those of their records that no export has now: the posted
 * sales that today's file of that name does not cover, and what was held or rejected. The folder carries them on until the
 * exports have them again.
 */
export const goneFiles = async (
  { folder, manifest: { content } }: Pick<PublishedPeriod, 'folder' | 'manifest'>,
  { inputs, readings, has }: Today,
): Promise<readonly GoneFile[]> => {
  const bytes = new Set(inputs.map(({ sha256 }) => sha256));
  const missing = content.inputs.filter(({ sha256 }) => !bytes.has(sha256));
  const found = new Map<string, GoneFile>();
  for (const { channel, path, sha256 } of missing)
    found.set(nameOf({ channel, path }), {
      channel,
      path,
      sha256,
      records: [],
      unposted: [],
    });
  const there = new Set(inputs.map(nameOf));
  const before = new Set(content.readings?.map(nameOf));
  const now = new Map(readings.map((one) => [nameOf(one), one]));
  /** Whether today's file of a name says that it has no sale of a day. A companion has no days to tell. */
  const covers = (name: string, day: CalendarDate): boolean => {
    const { first, last } = now.get(name) ?? {};
    if (first === undefined || last === undefined) return there.has(name) && !before.has(name);
    return first <= day && day <= last;
  };
  for await (const line of found.size === 0 ? [] : readLines(join(folder, logPath('entries')))) {
    if (has(keyIn(line))) continue;
    const { sale, recorded, version, filed } = JSON.parse(line) as Entry;
    if (filed) continue;
    const name = nameOf({ channel: sale.channel, path: sale.origin.file });
    const { key, kind, businessDate: day } = sale;
    // What is derived from an order that is stated again is of the day that the order says.
    const isOfStated = sale.reference !== null && has(saleKey(sale.channel, 'order', sale.reference));
    if (isOfStated && there.has(name)) continue;
    const amount = kind === 'order' ? sale.amount : negate(sale.amount);
    const record = recorded ? recordDigest(recorded.record) : '';
    const further = (recorded?.further ?? []).map((one) => ({
      key: saleKey(sale.channel, 'refund', one.record.transaction_id),
      amount: ZERO,
      record: recordDigest(one.record),
    }));
    const posting = version ? undefined : postingOf(sale);
    if (posting === 'needs review') found.get(name)?.unposted.push(key);
    if (posting === 'posted' && !covers(name, day)) {
      found.get(name)?.records.push({ key, amount, record }, ...further);
    }
  }
  for await (const line of found.size === 0 ? [] : readLog(join(folder, logPath('set-aside')))) {
    const aside = line as ChannelSetAside;
    const name = nameOf({ channel: aside.channel, path: aside.origin.file });
    // Of a row without a name, a file that is there again does not tell whether it was mended.
    const isUnknown = aside.origin.record === '' && there.has(name);
    if (aside.outcome === 'rejected' && !isUnknown) found.get(name)?.unposted.push(nameOfAside(aside));
  }
  return [...(content.gone ?? []).filter(({ sha256 }) => !bytes.has(sha256)), ...found.values()]
    .map(({ records, unposted, ...file }) => ({
      ...file,
      records: records.filter(({ key }) => !has(key)),
      unposted: unposted.filter((key) => !has(key)),
    }))
    .filter(({ records, unposted }) => records.length + unposted.length > 0);
};

/** The name of a file in answers: `desk/orders.csv`. */
export const nameOf = ({ channel, path }: Pick<GoneFile, 'channel' | 'path'>): string =>
  `${channel}/${path}`.replace(/\s+/g, ' ');

/** Returns the key of the sale in a line of entries, which stands first in it. */
const keyIn = (line: string): string => JSON.parse(/"key":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? '""');

/** The key that a record would have as a sale; its place where its row names none. */
const nameOfAside = (aside: ChannelSetAside): string =>
  aside.refundId === undefined && aside.origin.record === ''
    ? `${aside.channel}/${aside.origin.file}:${aside.origin.line}`
    : keyOfAside(aside);

/** Returns what a person answers of a file with posted sales: whether their records stay at the service. */
const askedOf = (file: GoneFile): Asked => ({
  code: GONE,
  key: nameOf(file),
  stated: digestOf(file.records.map(({ key, record }) => [key, record])).slice(0, 16),
  choices: ANSWERS[GONE],
});

/** Returns the answer about a file. */
const answerOf = (file: GoneFile, decisions: DecisionIndex): Verdict | undefined => {
  const { code, key, stated } = askedOf(file);
  return file.records.length === 0 ? undefined : decisions.ofStated(code, key, stated)?.verdict;
};

/** Returns what becomes of the records at the service that these files stated, by the digest of each. */
export const answersOf = (
  files: readonly GoneFile[],
  decisions: DecisionIndex,
): ReadonlyMap<string, Verdict | undefined> =>
  new Map(
    files.flatMap((file) => {
      const answer = answerOf(file, decisions);
      return file.records.map(({ record }) => [record, answer] as const);
    }),
  );

const countOf = ({ records }: GoneFile): string =>
  `it was in an earlier close and is gone: ${shownNumber(records.length, 'record')}, ${shownMoney(sum(records.map(({ amount }) => amount)))}`;

/**
 * Refuses to publish a period without sales that it had, because the file that stated them is gone, or was written over by
 * one of other days.
 *
 * @throws {TieoutError} E_EXPORT_GONE with the lines for decisions.csv, until each file is answered
 */
export const refuseGone = (
  files: readonly GoneFile[],
  decisions: DecisionIndex,
  { label }: Pick<FilingPeriod, 'label'>,
): void => {
  const open = files.filter(({ records }) => records.length > 0).filter((file) => !answerOf(file, decisions));
  if (open.length === 0) return;
  const lines = open.flatMap((file) => {
    const { code, key: record, stated, choices } = askedOf(file);
    const key = lineKey({
      period: label,
      code,
      place: '',
      record,
      stated,
    });
    return choices.map((choice) => `"${key.replaceAll('"', '""')}",${choice},WHY,NAME,DAY`);
  });
  throw new TieoutError({
    code: 'E_EXPORT_GONE',
    message: `${open.map((file) => `${file.path}: ${countOf(file)}`).join('; ')}. Nothing was published`,
    nextStep: `Put the file back, or write one line for each file into decisions.csv, with the reason; then close again.\nkey,decision,why,by,on\n${lines.join('\n')}\nkeep leaves its records at the service and on no return, delete deletes them there`,
    details: { files: open.map(({ path }) => path) },
  });
};

/** Returns what the books say of these files. */
export const findingsOfGone = (files: readonly GoneFile[], decisions: DecisionIndex): readonly Finding[] =>
  files.flatMap((file) => {
    const { path, records, unposted } = file;
    const origin = { file: path, line: 0, record: path };
    const isKept = answerOf(file, decisions) === 'keep';
    const fate = isKept ? 'kept at the service, on no return' : 'deleted at the service';
    const message = `no export has ${shownNumber(unposted.length, 'record')} now that it had in an earlier close, held or rejected`;
    return [
      ...(records.length > 0
        ? [finding(GONE, `${countOf(file)}, ${fate}`, { origin, asked: askedOf(file) })]
        : []),
      ...(unposted.length > 0 ? [finding('gone-since', message, { origin })] : []),
    ];
  });
