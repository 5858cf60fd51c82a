import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContent } from '../../src/content/load-content.ts';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { loadConfiguration } from '../../src/index.ts';
import { calendarDate, fixedClock, instant } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { silentProgress } from '../../src/runtime/pipeline.ts';
import { type EmbeddedTaxService, embeddedTaxService, ownEngine } from '../../src/service/tax-service.ts';
import { recordsIn } from '../support/records-in.ts';
import { digestsIn, runStep } from '../ways/live.ts';
import { HISTORY_CONFIGURATION, type Step } from '../ways/random-history.ts';
import { openFile } from './simulated-database.ts';
import { type Kill, type SimulatedProcess, simulatedProcess, simulateFiles } from './simulated-process.ts';

const MEMORY = '/dev/shm';
const SERVICE = 'http://simulated/v2/';
const clock = fixedClock(instant(Date.UTC(2026, 11, 2)));

/** What a shop has to show: the digests of its files by path, and the records of its service. */
export type State = {
  readonly files: Readonly<Record<string, string>>;
  readonly records: readonly string[];
};

/** One shop with its disk and its tax service. */
export const buildWorld = async () => {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tieout-simulate-'));
  const disk = join(folder, 'disk');
  const output = join(disk, 'out');
  const ledger = join(disk, '.tieout', 'ledger.db');
  const place = join(disk, 'tieout.yaml');
  const content = loadContent();
  const restoreFiles = simulateFiles();

  const begin = async (): Promise<void> => {
    await rm(disk, { recursive: true, force: true });
    await mkdir(join(disk, '.tieout'), { recursive: true });
    await mkdir(output);
    await writeFile(place, HISTORY_CONFIGURATION);
  };
  await begin();
  const configuration = await loadConfiguration(place);
  const { entity, shipFrom, registrations } = configuration;
  const nexus = registrations.map(({ state, since }) => ({
    country: 'US',
    state,
    from: calendarDate(since),
  }));
  const seller = { name: entity, address: shipFrom, nexus };

  const serviceOf = async (process: SimulatedProcess): Promise<EmbeddedTaxService> => {
    const books = await openLedger(await openFile(ledger, process), clock);
    const account = await books.accounts.ensure(seller);
    return embeddedTaxService({ ledger: books, accountId: account.id, content, clock });
  };
  const embedded = async (process: SimulatedProcess) => ({
    service: await serviceOf(process),
    serviceName: 'embedded',
    serviceId: 'embedded in Tieout simulated',
    callsAtOnce: 1_000,
  });
  const remote = (behind: EmbeddedTaxService, process: SimulatedProcess) => ({
    service: behindLine(behind, process),
    secondOpinion: { ...ownEngine(content, seller, clock), content: content.version },
    answers: { results: async () => new Map(), keep: async () => {} },
    serviceName: SERVICE,
    serviceId: SERVICE,
    callsAtOnce: 3,
  });

  return {
    begin,
    /** Keep a copy of the disk under a name, or put it back. */
    keep: (name: string) => cp(disk, join(folder, name), { recursive: true, preserveTimestamps: true }),
    putBack: async (name: string): Promise<void> => {
      await rm(disk, { recursive: true });
      await cp(join(folder, name), disk, { recursive: true, preserveTimestamps: true });
    },
    state: async (): Promise<State> => {
      const register = await readFile(join(disk, 'locks.ndjson'), 'utf8').catch(() => '');
      const files = { ...(await digestsIn(output)), 'locks.ndjson': register };
      return { files, records: await recordsIf(ledger) };
    },
    exportText: (text: string) => writeFile(join(disk, 'orders.csv'), text),
    /** Run a command in a process of its own, with a service beside it that outlives it where it is remote. */
    run: async (step: Exclude<Step, { does: 'export' }>, isRemote: boolean, kill?: Kill) => {
      const process = simulatedProcess(kill);
      const beside = simulatedProcess();
      const behind = isRemote ? await serviceOf(beside) : undefined;
      const isKilled = await process.live(async () => {
        const service = behind ? remote(behind, process) : await embedded(process);
        const ports = { configuration, state: join(disk, '.tieout'), output, clock, ...service };
        const more = { program: 'Tieout simulated', programDigest: '0'.repeat(64) };
        const live = (each: typeof step) => runStep(each, { ...ports, ...more, progress: silentProgress });
        await live(step).catch(async (error) => {
          // A kill behind the last effect of a lock: it is done, and says so. An export that has lost its first or last day is
          // refused, and so is a lock of what no close would write.
          if (step.does === 'lock' && error.code === 'E_PERIOD_LOCKED') return;
          if (step.does === 'lock' && error.code === 'E_PERIOD_STALE')
            error = (await live({ ...step, does: 'close' }).catch((refused) => refused)) ?? error;
          if (error.code !== 'E_EXPORT_GONE') throw error;
        });
      });
      await beside.live(async () => {});
      return { isKilled, effects: process.effects };
    },
    remove: async (): Promise<void> => {
      restoreFiles();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The records of a ledger; of one whose tables are not made yet there are none. */
const recordsIf = (path: string): Promise<readonly string[]> => recordsIn(`sqlite:${path}`).catch(() => []);

/** A service that goes on with what has reached it when the process is gone: each record that is sent is an effect. */
const behindLine = (service: EmbeddedTaxService, process: SimulatedProcess): TaxService => {
  const { dayMarks: _, ...port } = service;
  const sent = <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) => {
    return (...given: Given) => process.effect(`send ${JSON.stringify(given[0])}`, () => work(...given));
  };
  const create = sent(service.createMany);
  return {
    ...port,
    createMany: async (all) => {
      const answers = [];
      for (const each of all) answers.push(...(await create([each])));
      return answers;
    },
    update: sent(service.update),
    remove: sent(service.remove),
  };
};

export type World = Awaited<ReturnType<typeof buildWorld>>;
