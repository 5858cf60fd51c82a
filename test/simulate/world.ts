import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpCall } from '../../src/client/transport.ts';
import { loadContent } from '../../src/content/load-content.ts';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { type ClosePorts, loadConfiguration } from '../../src/index.ts';
import { type Clock, calendarDate, instant } from '../../src/kernel/calendar.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Watch } from '../../src/runtime/pipeline.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { type EmbeddedTaxService, embeddedTaxService, ownEngine } from '../../src/service/tax-service.ts';
import { addLine, pipelines } from '../entry/close.ts';
import { seeded } from '../hostile/random.ts';
import { answerCall } from './answer-call.ts';
import { type CallEvent, type CallWitness, callWitness } from './call-witness.ts';
import { embeddedService } from './embedded-service.ts';
import { exportOf } from './planned-sale.ts';
import { type Content, simulatedDatabase } from './simulated-database.ts';
import { BeforeBooks, simulateFiles } from './simulated-files.ts';
import { type Blow, type Lived, type SimulatedProcess, simulatedProcess } from './simulated-process.ts';
import { type RemoteService, remoteService, type Weather } from './simulated-service.ts';
import { simulateTime } from './simulated-time.ts';
import type { LateItems, Step, Story } from './story.ts';

export type Ports = ClosePorts & Watch;

/** How one run is disturbed. */
export type Conditions = { readonly blow?: Blow; readonly weather: Weather };

export type Ran = {
  readonly lived: Lived<unknown>;
  /** Whether it has done all that the step is there for. */
  readonly hasEnded: boolean;
  /** The effects of the process, by name, in their order. */
  readonly effects: readonly string[];
  /** Calls that it should not have made. */
  readonly wrongCalls: readonly string[];
  /** Digests of the evidence of a close that writes no workbooks. */
  readonly evidence: ReadonlyMap<string, string>;
};

/** What of a history is on its disks, on its line, and behind it: from here it can be lived on. */
export type Moment = {
  readonly ledger: Content;
  /** Calls on their way to the service. */
  readonly underWay: readonly HttpCall[];
  readonly events: readonly CallEvent[];
  /** Answers of a remote service that were kept, by the digest of their request. */
  readonly answers: ReadonlyMap<string, TaxResult>;
  readonly elapsedMs: number;
  /** A copy of the disk. */
  readonly files?: string;
  /** The effect that comes next. */
  readonly effect: string;
};

const CONFIGURATION = {
  entity: 'shop',
  name: 'Shop',
  timeZone: 'America/Los_Angeles',
  shipFrom: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1 K Street' },
  registrations: [
    { state: 'CA', since: '2019-01-01' },
    { state: 'MA', since: '2026-10-20' },
    { state: 'NV', since: '2019-01-01' },
  ],
  channels: [{ name: 'desk', profile: 'taxjar.orders', files: ['orders.csv'] }],
  policy: { changedRefunds: 'adjust' },
  output: 'out',
};

const MEMORY = '/dev/shm';
const SERVICE = 'http://simulated/v2/';
/** Calls at once, and answers that may wait to be kept together, of the service in the process of the close. */
const EMBEDDED_AT_ONCE = 1_000;

/** The digest of the program that closes. */
export const SIMULATED_BUILD = '0'.repeat(64);

/** One shop, its disk and its tax service, for one history after the other. */
export const buildWorld = async () => {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tieout-simulate-'));
  const disk = join(folder, 'disk');
  const output = join(disk, 'out');
  const state = join(disk, '.tieout');
  await mkdir(disk);
  const configurations = {
    none: await configured(disk, 'ask'),
    carry: await configured(disk, 'carry'),
    amend: await configured(disk, 'amend'),
  } satisfies Record<LateItems, unknown>;
  const { entity, shipFrom, registrations } = configurations.none;
  const content = loadContent();
  const ledgerDisk = await simulatedDatabase('ledger');
  const time = simulateTime();
  const files = simulateFiles();
  const clock: Clock = { now: () => instant(time.nowMs()) };
  const seller = {
    name: entity,
    address: shipFrom,
    nexus: registrations.map(({ state, since }) => ({ country: 'US', state, from: calendarDate(since) })),
  };

  const serviceOf = async (process: SimulatedProcess): Promise<EmbeddedTaxService> => {
    const ledger = await openLedger(ledgerDisk.open(process), clock);
    const account = await ledger.accounts.ensure(seller);
    return embeddedTaxService({ ledger, accountId: account.id, content, clock });
  };
  await serviceOf(simulatedProcess());

  const NOTHING: Moment = {
    ledger: new Map(),
    underWay: [],
    events: [],
    answers: new Map(),
    elapsedMs: 0,
    effect: '',
  };

  /** Begin a history of a story at a moment: at the beginning of everything, when none is given. */
  const begin = async (story: Story, seed: number, moment: Moment = NOTHING) => {
    const isRemote = story.service === 'remote';
    const configuration = configurations[story.lateItems];
    const random = seeded(seed);
    time.restart(seed);
    time.pass(moment.elapsedMs);
    await ledgerDisk.restore(moment.ledger);
    await rm(disk, { recursive: true, force: true });
    if (moment.files) await cp(moment.files, disk, { recursive: true, preserveTimestamps: true });
    await mkdir(output, { recursive: true });
    await mkdir(state, { recursive: true });
    const remote = isRemote ? await serviceOf(simulatedProcess()) : undefined;
    const events = [...moment.events];
    const answers = new Map(moment.answers);
    let line: RemoteService | undefined;
    const now = (): Omit<Moment, 'effect'> => ({
      ledger: ledgerDisk.content(),
      underWay: line?.underWay() ?? [],
      events: [...events],
      answers: new Map(answers),
      elapsedMs: time.elapsedMs(),
    });

    /** Answers lie on the disk of the close: keeping them is an effect of its process. */
    const answersOf = (process: SimulatedProcess): NonNullable<ClosePorts['answers']> => ({
      results: async (digests) =>
        new Map(
          digests.flatMap((digest) => {
            const answer = answers.get(digest);
            return answer ? [[digest, answer] as const] : [];
          }),
        ),
      keep: (rows) =>
        process.effect('keep answers', async () => {
          for (const { digest, result } of rows) answers.set(digest, JSON.parse(result) as TaxResult);
        }),
    });
    const servicePorts = async (process: SimulatedProcess, { weather }: Conditions, witness: CallWitness) => {
      if (remote === undefined)
        return {
          service: embeddedService(await serviceOf(process), witness),
          serviceName: 'embedded',
          serviceId: 'embedded in Tieout simulated',
          callsAtOnce: EMBEDDED_AT_ONCE,
        };
      const { callsAtOnce } = story;
      line = remoteService(remote, process, { random, weather, witness, callsAtOnce });
      return {
        service: line.service,
        secondOpinion: { ...ownEngine(content, seller, clock), content: content.version },
        answers: answersOf(process),
        serviceName: SERVICE,
        serviceId: SERVICE,
        callsAtOnce: story.callsAtOnce,
      };
    };
    const perform = (ports: Ports, { does, period }: Step): Promise<unknown> => {
      if (does === 'lock') return addLine(ports, { label: period, openExceptions: 'a simulation' });
      return pipelines.monthlyClose.run(ports, { period });
    };

    const witnessed = (): CallWitness => callWitness(events);
    if (remote) {
      const witness = witnessed();
      for (const call of moment.underWay) {
        witness.reached(call);
        await answerCall(remote, call);
      }
    }
    if (moment.effect !== '') events.push({ what: 'cut off' });

    return {
      random,
      pass: time.pass,
      /** The moment now, between two runs. */
      moment: async (copy?: string): Promise<Moment> => {
        if (copy) await cp(disk, copy, { recursive: true, preserveTimestamps: true });
        return { ...now(), effect: '', ...(copy && { files: copy }) };
      },
      run: async (step: Step, conditions: Conditions, onMoment?: (moment: Moment) => void): Promise<Ran> => {
        await writeFile(join(disk, 'orders.csv'), exportOf(step.sales));
        const witness = witnessed();
        const process = simulatedProcess(
          conditions.blow,
          onMoment && ((effect) => onMoment({ ...now(), effect })),
        );
        const evidence = step.hasBooks ? new Map<string, string>() : files.endBeforeBooks(process);
        const lived = await process.live(async () => {
          const ports: Ports = {
            configuration,
            state,
            output,
            clock,
            program: 'Tieout simulated',
            programDigest: SIMULATED_BUILD,
            recompute: false,
            maxCalculations: undefined,
            progress: silentProgress,
            ...(await servicePorts(process, conditions, witness)),
          };
          return perform(ports, step);
        });
        await line?.settled();
        const hasEnded =
          lived.end === 'done' || (lived.end === 'failed' && lived.error instanceof BeforeBooks);
        witness.over(hasEnded ? 'ended' : 'cut off');
        return { lived, hasEnded, effects: process.effects(), wrongCalls: witness.wrong(), evidence };
      },
    };
  };

  return {
    begin,
    output,
    /** A folder beside the simulated disk, for copies. */
    folder,
    /** From now on, or no longer, the moments of a history can be taken. */
    follow: async (isFollowed: boolean): Promise<void> => {
      await ledgerDisk.follow(isFollowed);
    },
    ledger: ledgerDisk.rows,
    remove: async () => {
      files.restore();
      time.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const configured = async (folder: string, lateItems: 'ask' | 'carry' | 'amend') => {
  const path = join(folder, `${lateItems}.yaml`);
  const { policy, ...others } = CONFIGURATION;
  await writeFile(path, JSON.stringify({ ...others, policy: { ...policy, lateItems } }));
  return loadConfiguration(path);
};

export type World = Awaited<ReturnType<typeof buildWorld>>;
export type History = Awaited<ReturnType<World['begin']>>;
