import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClosePorts } from '../../src/index.ts';
import { TieoutError } from '../../src/kernel/errors.ts';
import { sha256 } from '../../src/kernel/json.ts';
import { neverStopping, type Stopping, type Watch } from '../../src/runtime/pipeline.ts';
import { addLine, pipelines, withPorts } from '../entry/close.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';
import { startWorker } from '../support/workers-here.ts';
import { HISTORY_CONFIGURATION, type Step } from './random-history.ts';

/** How the commands of a history are run; at one go and on SQLite files unless it says otherwise. */
export type Way = {
  /** The addresses of the databases, as the configuration has them. */
  readonly databases?: string;
  readonly callsAtOnce?: number;
  /** Every command is asked to stop after so many times of looking, and run again with so much more patience. */
  readonly patience?: number;
  readonly workers?: boolean;
};

/** The digests of all files that there are after each command of a history. */
export type Lived = readonly {
  readonly step: string;
  readonly files: Readonly<Record<string, string>>;
}[];

/** Live through a history in some way, in a folder of its own, and have a look at the output at the end. */
export const live = async (
  history: readonly Step[],
  way: Way,
  look: (output: string) => Promise<void> = async () => {},
): Promise<Lived> => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'tieout.yaml'), `${HISTORY_CONFIGURATION}${way.databases ?? ''}`);
  const lived: Lived[number][] = [];
  for (const step of history) {
    if (step.does === 'export') await writeFile(join(folder, 'orders.csv'), step.text);
    else {
      await untilThrough(way, (stopping) => run(folder, step, way, stopping));
      lived.push({ step: JSON.stringify(step), files: await digestsIn(join(folder, 'out')) });
    }
  }
  await look(join(folder, 'out'));
  return lived;
};

const untilThrough = async (
  { patience }: Way,
  work: (stopping: Stopping) => Promise<void>,
): Promise<void> => {
  if (patience === undefined) return work(neverStopping);
  for (let left = patience; ; left += patience) {
    let looks = 0;
    const isAsked = () => {
      looks += 1;
      return looks > left;
    };
    try {
      return await work({ isAsked });
    } catch (error) {
      if (!(error instanceof TieoutError && error.code === 'E_STOPPED')) throw error;
    }
  }
};

type Command = Exclude<Step, { readonly does: 'export' }>;

const run = async (folder: string, step: Command, way: Way, stopping: Stopping): Promise<void> => {
  const worker = way.workers ? await startWorker(folder) : undefined;
  const handing = { lostAfterSeconds: 10, patienceSeconds: 60, salesPerBatch: 3 };
  try {
    await withPorts(
      join(folder, 'tieout.yaml'),
      (given) => runStep(step, { ...given, callsAtOnce: way.callsAtOnce ?? given.callsAtOnce, stopping }),
      {
        version: '0',
        output: join(folder, 'out'),
        ...(worker && { workers: handing }),
      },
    );
  } finally {
    await worker?.stop();
  }
};

export const runStep = async (step: Command, ports: ClosePorts & Watch): Promise<void> => {
  switch (step.does) {
    case 'close':
      return void (await pipelines.monthlyClose.run(ports, { period: step.period }));
    case 'lock':
      return void (await addLine(ports, { label: step.period, openExceptions: 'drawn by chance' }));
    case 'backfill':
      return void (await pipelines.historicalBackfill.run(ports, { period: '2026-10..2026-11' }));
  }
};

export const digestsIn = async (folder: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries([...(await filesOf(folder))].map(([path, bytes]) => [path, sha256(bytes)]));
