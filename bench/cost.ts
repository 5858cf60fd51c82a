import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What something has cost: time on the clock and of the processor, and the most memory its process held so far. */
export type Cost = { readonly wallMs: number; readonly cpuMs: number; readonly peakMb: number };

/** One line of a benchmark. `rows` is what was worked on, in `unit`. */
export type Measured = Cost & { readonly part: string; readonly rows: number; readonly unit: string };

/** Of this process since it began. */
export const costSoFar = (): Cost => {
  const { user, system } = process.cpuUsage();
  return {
    wallMs: Math.round(performance.now()),
    cpuMs: Math.round((user + system) / 1_000),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  };
};

/** A folder for as long as the work takes. */
export const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
