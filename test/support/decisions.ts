import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Verdict } from '../../src/judge/decision.ts';
import type { Figures } from './figures.ts';
import type { Month } from './month.ts';

export type OpenItem = Readonly<Record<'key' | 'cause' | 'records' | 'choices' | 'decision', string>>;
type Line = {
  readonly key: string;
  readonly decision: string;
  readonly why: string;
  readonly on?: string;
};

const COLUMNS = ['key', 'records', 'decision', 'why', 'by', 'on'] as const;

/** The lines of the form that a close published. */
export const openItemsOf = async (shop: Pick<Month, 'out'>, period: string): Promise<readonly OpenItem[]> =>
  parse(await readFile(join(shop.out(period), 'open-items.csv')), { bom: true, columns: true }) as OpenItem[];

/** Writes lines of decisions.csv behind those that are there, as a person does. */
export const decide = async (shop: Pick<Month, 'folder'>, lines: readonly Line[]): Promise<void> => {
  const path = join(shop.folder, 'decisions.csv');
  const before = await readFile(path, 'utf8').catch(() => `${COLUMNS.join(',')}\n`);
  const filled = lines.map((line) => ({ records: '', by: 'Dana Reyes', on: '2026-11-03', ...line }));
  await writeFile(path, before + stringify(filled, { columns: [...COLUMNS] }));
};

/**
 * Answers what is late in the form of a period: all of it, or the records whose keys have one of these names.
 *
 * @returns the keys that were answered
 */
export const answerLate = async (
  shop: Pick<Month, 'folder' | 'out'>,
  period: string,
  verdict: Extract<Verdict, 'next' | 'amend' | 'leave'>,
  {
    names,
    on = '2026-11-03',
  }: {
    readonly names?: readonly string[];
    readonly on?: string;
  } = {},
): Promise<readonly string[]> => {
  const items = (await openItemsOf(shop, period)).filter(({ key, decision }) => {
    const named = / R17 of (\S+) as /.exec(key)?.[1]?.split('/').at(-1);
    return named !== undefined && decision === '' && (names?.includes(named) ?? true);
  });
  const keys = items.map(({ key }) => key);
  await decide(
    shop,
    keys.map((key) => ({ key, decision: verdict, why: 'late for a locked month', on })),
  );
  return keys;
};

/** Closes periods and locks them, one after the other, whatever is open in them. */
export const lockClosed = async (
  shop: Pick<Month, 'run' | 'told'>,
  ...periods: readonly string[]
): Promise<void> => {
  for (const period of periods) {
    await shop.run('close', period);
    await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
  }
};

type Closing = Pick<Month, 'folder' | 'out' | 'close' | 'told'>;

/** Closes an open period, answers all that is late in it with *next*, and closes it again. */
export const carryLate = async (shop: Closing, open: string): Promise<Figures> => {
  await shop.close(open);
  await answerLate(shop, open, 'next');
  return shop.close(open);
};

/** Answers all that is late in an open period with *amend*, and closes and locks the amended version of the locked one. */
export const amendLate = async (
  shop: Closing,
  locked: string,
  open: string,
  version = 1,
): Promise<Figures> => {
  await shop.close(open);
  await answerLate(shop, open, 'amend');
  const amended = await shop.close(locked, '--amend');
  await shop.told(0, 'lock', `${locked}-amended-${version}`, '--open-exceptions', 'known');
  return amended;
};
