import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Month, type MonthData, month } from '../../support/month.ts';
import { contentWithGaps } from '../gap-month.ts';

/** What becomes otherwise between two closes, in this order. */
type Change = {
  readonly month?: MonthData;
  readonly files?: Readonly<Record<string, string>>;
  readonly removed?: readonly string[];
  /** A record that is deleted in the service. */
  readonly deleted?: {
    readonly order?: string;
    readonly refund?: string;
    readonly provider: string;
  };
  readonly closed?: readonly string[];
};

/** Codes that need more than one export, the smallest month that shows them, and what the hint says to do. */
export type HintedMonth = Change & {
  readonly codes: readonly string[];
  readonly earlier?: readonly string[];
  readonly meanwhile?: Change;
  /** Whether its content lacks rates that the shipped one has. */
  readonly hasGaps?: boolean;
  /** A file to which a line without end is added. */
  readonly endless?: string;
  readonly then?: Change;
};

export const MONTHS = parse(readFileSync(new URL('months.yaml', import.meta.url), 'utf8'), {
  merge: true,
}) as readonly HintedMonth[];

const LONG_LINE = 20_000_000;

const change = async (
  shop: Month,
  { month: data, files = {}, removed = [], deleted, closed = [] }: Change,
) => {
  if (data) await shop.change(data);
  for (const [name, text] of Object.entries(files)) await shop.write(name, text);
  for (const name of removed) await rm(join(shop.folder, name), { recursive: true });
  const { order, refund, ...of } = deleted ?? {};
  if (order !== undefined) await shop.service((service) => service.remove('order', order, of));
  if (refund !== undefined) await shop.service((service) => service.remove('refund', refund, of));
  for (const period of closed) await shop.run('close', period);
};

/** The shop of a row, before October is closed once more. */
export const shopOf = async (row: HintedMonth) => {
  const { earlier = [], meanwhile, endless, hasGaps } = row;
  const shop = await month(row.month);
  await change(shop, { files: row.files ?? {} });
  if (endless !== undefined) await shop.write(endless, `${await shop.read(endless)}${'x'.repeat(LONG_LINE)}`);
  for (const period of earlier) await shop.run('close', period);
  if (meanwhile) {
    await shop.run('close', '2026-10');
    await change(shop, meanwhile);
  }
  const content = hasGaps ? ['--content', await contentWithGaps()] : [];
  return {
    ...shop,
    content,
    follow: () => change(shop, row.then ?? {}),
  };
};
