import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '../../src/close/workspace/workspace.ts';
import { type ClosePorts, loadConfiguration } from '../../src/index.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { Watch } from '../../src/runtime/pipeline.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { loadContent } from '../../src/service/content/load-content.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { secondOpinion } from '../../src/service/second-opinion.ts';
import { type EmbeddedTaxService, embeddedTaxService } from '../../src/service/tax-service.ts';
import { type Random, seeded } from '../hostile/random.ts';
import { type CallWitness, callWitness } from './call-witness.ts';
import { embeddedService } from './embedded-service.ts';
import { exportOf, type Plan, type PlannedSale } from './plan.ts';
import { simulatedDatabase } from './simulated-database.ts';
import { simulateFiles } from './simulated-files.ts';
import { type Blow, type Lived, type SimulatedProcess, simulatedProcess } from './simulated-process.ts';
import { remoteService, type Weather } from './simulated-service.ts';
import { simulateTime } from './simulated-time.ts';

export type Ports = ClosePorts & Watch;

/** How one run is disturbed. */
export type Conditions = { readonly blow?: Blow; readonly weather: Weather };

export type Ran = {
  readonly lived: Lived<unknown>;
  /** The effects of the process, by name, in their order. */
  readonly effects: readonly string[];
  /** Calls that were made though their answer was kept, or without their intent stored. */
  readonly wrongCalls: readonly string[];
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
  const output = join(folder, 'out');
  await writeFile(join(folder, 'tieout.yaml'), JSON.stringify(CONFIGURATION));
  const configuration = await loadConfiguration(join(folder, 'tieout.yaml'));
  const content = loadContent();
  const workspaceDisk = await simulatedDatabase('workspace');
  const ledgerDisk = await simulatedDatabase('ledger');
  const time = simulateTime();
  const restoreFiles = simulateFiles();
  const clock: Clock = { now: () => instant(time.nowMs()) };
  const seller = {
    name: configuration.entity,
    address: configuration.shipFrom,
    nexus: configuration.registrations.map(({ state, since }) => ({
      country: 'US',
      state,
      from: calendarDate(since),
    })),
  };

  const serviceOf = async (process: SimulatedProcess): Promise<EmbeddedTaxService> => {
    const ledger = await openLedger(ledgerDisk.open(process), clock);
    const account = await ledger.accounts.ensure(seller);
    return embeddedTaxService({ ledger, accountId: account.id, content, clock });
  };
  await openWorkspace(workspaceDisk.open(simulatedProcess()), configuration.entity);
  await serviceOf(simulatedProcess());

  /** Begin a history: nothing is stored, and nothing remembered. */
  const begin = async (plan: Plan) => {
    time.restart(plan.seed);
    const random = seeded(plan.seed);
    await workspaceDisk.empty();
    await ledgerDisk.empty();
    await rm(output, { recursive: true, force: true });
    await mkdir(output);
    const remote = plan.service === 'remote' ? await serviceOf(simulatedProcess()) : undefined;
    return {
      random,
      write: (sales: readonly PlannedSale[]) => writeFile(join(folder, 'orders.csv'), exportOf(sales)),
      pass: time.pass,
      run: async (conditions: Conditions, work: (ports: Ports) => Promise<unknown>): Promise<Ran> => {
        const witness = await callWitness(workspaceDisk);
        const process = simulatedProcess(conditions.blow);
        const settling: (() => Promise<void>)[] = [];
        const lived = await process.live(async () => {
          const workspace = await openWorkspace(workspaceDisk.open(process), configuration.entity);
          const service = remote
            ? remotePorts(plan, remote, { process, conditions, random, witness, settling })
            : await embeddedPorts(process, witness);
          return work({
            configuration,
            workspace,
            output,
            clock,
            program: 'Tieout simulated',
            programDigest: SIMULATED_BUILD,
            recompute: false,
            maxCalculations: undefined,
            progress: plan.reports ? silentProgress : endingBeforeReport,
            ...service,
          });
        });
        for (const settled of settling) await settled();
        return { lived, effects: process.effects(), wrongCalls: witness.wrong() };
      },
    };
  };

  type Line = {
    readonly process: SimulatedProcess;
    readonly conditions: Conditions;
    readonly random: Random;
    readonly witness: CallWitness;
    readonly settling: (() => Promise<void>)[];
  };
  const remotePorts = (plan: Plan, behind: EmbeddedTaxService, line: Line) => {
    const { process, conditions, random, witness, settling } = line;
    const { service, settled } = remoteService(behind, process, {
      random,
      weather: conditions.weather,
      witness,
      nowMs: () => performance.now(),
      callsAtOnce: plan.callsAtOnce,
    });
    settling.push(settled);
    return {
      service,
      secondOpinion: secondOpinion(content, seller, clock),
      serviceName: SERVICE,
      serviceId: SERVICE,
      callsAtOnce: plan.callsAtOnce,
      answersAtRisk: plan.callsAtOnce,
    };
  };
  const embeddedPorts = async (process: SimulatedProcess, witness: CallWitness) => ({
    service: embeddedService(await serviceOf(process), witness),
    serviceName: 'embedded',
    serviceId: 'embedded in Tieout simulated',
    callsAtOnce: EMBEDDED_AT_ONCE,
    answersAtRisk: EMBEDDED_AT_ONCE,
  });

  return {
    begin,
    output,
    workspace: workspaceDisk.rows,
    ledger: ledgerDisk.rows,
    remove: async () => {
      restoreFiles();
      time.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type World = Awaited<ReturnType<typeof buildWorld>>;
export type History = Awaited<ReturnType<World['begin']>>;

/** What ends a run that writes no workbooks: it has done all the rest. */
export class BeforeReport extends Error {}

const endingBeforeReport: Progress = {
  ...silentProgress,
  started: (stage) => {
    if (stage === 'report') throw new BeforeReport('the simulation writes no workbooks here');
  },
};
