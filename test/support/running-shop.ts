import { join } from 'node:path';
import { expect } from 'vitest';
import { type ShopOrder, type ShopRefund, writeOrders, writeRefunds, writeShop } from './shop.ts';
import { type Ran, type RunOptions, temporaryFolder, tieout } from './tieout.ts';

export type Load = {
  readonly orders: Readonly<Record<string, readonly ShopOrder[]>>;
  readonly refunds?: readonly ShopRefund[];
};

/** A shop in a folder of its own whose files can be replaced between two commands. */
export const runningShop = async () => {
  const folder = await temporaryFolder();
  const args = ['--config', join(folder, 'tieout.yaml')];
  const out = ['--output', join(folder, 'out')];
  const runWith = async (options: RunOptions, ...command: string[]): Promise<Ran> =>
    tieout(
      [...command, ...args, ...(command[0] === 'close' || command[0] === 'late' ? out : []), '--json'],
      options,
    );
  const run = (...command: string[]): Promise<Ran> => runWith({}, ...command);
  return {
    folder,
    load: async ({ orders, refunds }: Load, more = '') => {
      for (const [file, rows] of Object.entries(orders)) await writeOrders(folder, file, rows);
      if (refunds) await writeRefunds(folder, 'refunds.csv', refunds);
      await writeShop(folder, Object.keys(orders), refunds ? ['refunds.csv'] : [], more);
    },
    run,
    runWith,
    /** Run a command that must end with this code, and give what it printed. */
    told: async (code: number, ...command: string[]): Promise<Told> => {
      const ran = await run(...command);
      expect({ command, code: ran.code, stderr: ran.stderr }).toEqual({ command, code, stderr: '' });
      return JSON.parse(ran.stdout) as Told;
    },
    out: (period: string) => join(folder, 'out', 'shop', period),
  };
};

export type LateLine = {
  readonly record: string;
  readonly kind: string;
  readonly choice: string;
  readonly gross: string;
  readonly expected: string;
};
export type Told = {
  readonly totals: Readonly<Record<string, string>>;
  readonly states: readonly Readonly<Record<string, string | number>>[];
  readonly exceptions: readonly {
    readonly code: string;
    readonly severity: string;
    readonly record: string;
    readonly message: string;
  }[];
  readonly submissions: Readonly<Record<string, number>>;
  readonly open: readonly LateLine[];
  readonly decided: readonly LateLine[];
  readonly effects: readonly Readonly<Record<string, string>>[];
  readonly amended?: { readonly period: string; readonly states: Told['states'] };
};
