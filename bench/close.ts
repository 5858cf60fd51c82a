import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { monthlyClose } from '../pipelines/monthly-close.ts';
import { buildClose } from '../src/app/close/build-close.ts';
import { loadConfiguration } from '../src/close/configuration/load-configuration.ts';
import { systemClock } from '../src/kernel/calendar.ts';
import { holdMemory } from '../src/runtime/hold-memory.ts';
import type { Progress } from '../src/runtime/progress.ts';
import { type Cost, costBetween, costSoFar, type Measured } from './cost.ts';
import { print } from './served.ts';

/**
 * `node bench/close.ts FOLDER ORDERS [again]`: close October of a folder with a month, from nothing or once more, and
 * print what each stage cost. A process of its own, so that its peak is that of one close.
 */
const [folder = '.', orders = '0', how] = process.argv.slice(2);
if (how !== 'again')
  for (const made of ['.tieout', 'output']) rmSync(join(folder, made), { recursive: true, force: true });

const told = (part: string, cost: Cost): void => {
  const line: Measured = { part, rows: Number(orders), unit: 'orders', ...cost };
  print(JSON.stringify(line));
};
let before: Cost = { wallMs: 0, cpuMs: 0, peakMb: 0 };
const tell = (stage: string): void => {
  const now = costSoFar();
  told(`close: ${stage}`, costBetween(before, now));
  before = now;
};
const progress: Progress = { started: () => {}, advanced: () => {}, finished: tell };

holdMemory();
const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
await buildClose(
  {
    configuration,
    output: join(folder, 'output'),
    content: undefined,
    maxCalculations: undefined,
    recompute: false,
    clock: systemClock,
    version: 'bench',
    variable: (name) => process.env[name],
    isEnding: () => false,
    process: process.pid,
  },
  async (ports) => {
    tell('start');
    await monthlyClose.run({ ...ports, progress }, { period: '2026-10' });
  },
);
told('close', costSoFar());
