import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { closesAgain } from './closes-again.ts';
import { mixedLoad } from './mixed-load.ts';
import { figure, print, type Served, serve } from './served.ts';

/**
 * `npm run soak [minutes] [requests per second] [pause in seconds]`: mixed load on `tieout serve` while whole closes
 * run against it, with a pause after each. Ends with 1 when a request failed, a close did not end well or wrote other
 * files than before, an acknowledged write is gone, or the server holds more descriptors or a tenth more memory in
 * the last sixth of the time than in the third, by when its caches are full.
 */
const [minutes = 30, perSecond = 150, pauseSeconds = 8] = process.argv.slice(2).map(Number);
const SAMPLE_EVERY_MS = 10_000;
const MEMORY_GROWTH_MAX = 1.1;
const SIXTHS = 6;

type Sample = { readonly mb: number; readonly descriptors: number };

const folder = mkdtempSync(join(tmpdir(), 'tieout-soak-'));
const ledger = `sqlite:${join(folder, 'ledger.db')}`;

const sampleOf = async (served: Served): Promise<Sample> => ({
  mb: Math.round((await figure(served, 'process_resident_memory_bytes')) / 1_048_576),
  descriptors: await figure(served, 'process_open_fds'),
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const medians = (samples: readonly Sample[]): Sample => ({
  mb: median(samples.map(({ mb }) => mb)),
  descriptors: median(samples.map(({ descriptors }) => descriptors)),
});

const textOf = ({ mb, descriptors }: Sample): string => `${mb} MB and ${descriptors} descriptors`;
const listed = (counts: ReadonlyMap<string, number>): string => JSON.stringify(Object.fromEntries(counts));

const served = await serve(ledger);
print(`${minutes} minutes at ${perSecond} requests a second; load before: ${loadavg()[0]?.toFixed(2)}`);
const load = await mixedLoad(served, perSecond);
const closing = closesAgain({ ledger, url: served.url }, folder, pauseSeconds * 1_000);
const samples: Sample[] = [];
const end = performance.now() + minutes * 60_000;
while (performance.now() < end) {
  await pause(Math.min(SAMPLE_EVERY_MS, Math.max(0, end - performance.now())));
  samples.push(await sampleOf(served));
}
await closing.stop();
load.stop();
await load.stopped();
const seconds = await figure(served, 'process_cpu_seconds_total');
served.child.kill('SIGTERM');
const [code] = (await once(served.child, 'exit')) as [number | null];

const sixth = Math.max(1, Math.floor(samples.length / SIXTHS));
const bySixth = Array.from({ length: SIXTHS }, (_, index) =>
  medians(samples.slice(index * sixth, (index + 1) * sixth)),
);
const [early, late] = [bySixth[2], bySixth[5]] as [Sample, Sample];
print(`answered: ${listed(load.answered)}; problems: ${listed(load.problems)}`);
print(`${closing.closes()} closes; complaints: ${JSON.stringify(closing.complaints)}`);
print(`resident memory in MB, every 10 s: ${samples.map(({ mb }) => mb).join(' ')}`);
print(`descriptors, every 10 s: ${samples.map(({ descriptors }) => descriptors).join(' ')}`);
print(`medians of each sixth: ${bySixth.map(textOf).join('; ')}`);
print(
  `the server took ${Math.round(seconds)} s of processor and ended with ${code}; load after: ${loadavg()[0]?.toFixed(2)}`,
);
const again = await serve(ledger);
const lost = await load.lostWrites(again);
again.child.kill('SIGTERM');
await once(again.child, 'exit');
rmSync(folder, { recursive: true, force: true });
const isFlat = late.mb <= early.mb * MEMORY_GROWTH_MAX && late.descriptors <= early.descriptors;
const isClean = load.problems.size + closing.complaints.length + lost === 0 && code === 0;
process.exitCode = isFlat && isClean ? 0 : 1;
