import { readFileSync, writeFileSync } from 'node:fs';
import type { MeasuredClose } from '../close-by-workers.ts';

/** A close that was measured, and when and where. */
export type KeptClose = MeasuredClose & {
  readonly day: string;
  readonly machine: string;
  /** Of the machine, before the close began. */
  readonly load: string;
};

const PATH = new URL('measured.json', import.meta.url);

export const keptCloses = (): readonly KeptClose[] => JSON.parse(readFileSync(PATH, 'utf8')) as KeptClose[];

const settingOf = ({ orders, workers, latencyMs }: KeptClose): string =>
  JSON.stringify([orders, workers, latencyMs]);

/** Keep a measured close in the place of an earlier one of the same setting. */
export const keepClose = (close: KeptClose): void => {
  const others = keptCloses().filter((each) => settingOf(each) !== settingOf(close));
  const lines = [...others, close].map((each) => JSON.stringify(each));
  writeFileSync(PATH, `[\n${lines.join(',\n')}\n]\n`);
};
