import type { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import type { CommandIo } from './io.ts';

export type BuildCommand = (io: CommandIo, exit: (code: ExitCode) => void) => Command;

/** A command by its name and what it does. Only the one that is run is loaded. */
export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  /** Command lines that its help shows. */
  readonly examples: readonly [string, ...string[]];
  readonly load: () => Promise<BuildCommand>;
};

/** Every command, in the order in which `tieout --help` lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Propose a configuration from a folder of exports',
    examples: ['tieout init exports', 'tieout init exports --yes --ship-from 95814'],
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'close',
    summary: 'close a filing period: all stages, all workbooks',
    examples: ['tieout close 2026-10 --config shop/tieout.yaml'],
    load: async () => (await import('./close.ts')).closeCommand,
  },
  {
    name: 'backfill',
    summary: 'close many months, resumable, within one call budget',
    examples: ['tieout backfill 2023-01..2025-12 --max-calculations 50000'],
    load: async () => (await import('./backfill.ts')).backfillCommand,
  },
  {
    name: 'plan',
    summary: 'what closing a period would ask, send and cost',
    examples: ['tieout plan 2026-10 --json'],
    load: async () => (await import('./close.ts')).planCommand,
  },
  {
    name: 'status',
    summary: 'how the last run of each period ended, and what is locked',
    examples: ['tieout status 2026-10'],
    load: async () => (await import('./status.ts')).statusCommand,
  },
  {
    name: 'lock',
    summary: 'freeze a closed period: its figures, its records and its files',
    examples: ['tieout lock 2026-10 --as "Dana Reyes"'],
    load: async () => (await import('./lock.ts')).lockCommand,
  },
  {
    name: 'late',
    summary: 'what came late for a locked period: list, carry or amend',
    examples: ['tieout late 2026-10', 'tieout late 2026-10 --carry "#5401" --as "Dana Reyes"'],
    load: async () => (await import('./late.ts')).lateCommand,
  },
  {
    name: 'unlock',
    summary: 'open a locked period again; who did it, and why, stays written',
    examples: ['tieout unlock 2026-10 --reason "wrong export" --as "Dana Reyes"'],
    load: async () => (await import('./lock.ts')).unlockCommand,
  },
  {
    name: 'sign',
    summary: 'sign what is published of a period',
    examples: ['tieout sign 2026-10 --as "Dana Reyes" --role preparer'],
    load: async () => (await import('./sign.ts')).signCommand,
  },
  {
    name: 'verify',
    summary: 'recompute every hash and total of closed periods, offline',
    examples: ['tieout verify output/my-shop/2026-10'],
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'show',
    summary: 'sales of closed periods as their evidence has them, offline',
    examples: ['tieout show output/my-shop/2026-10 order/5010'],
    load: async () => (await import('./show.ts')).showCommand,
  },
  {
    name: 'adopt',
    summary: 'take locks and signatures back from published evidence',
    examples: ['tieout adopt output/my-shop/2026-10'],
    load: async () => (await import('./adopt.ts')).adoptCommand,
  },
  {
    name: 'backup',
    summary: 'copy workspace and ledger while they are in use',
    examples: ['tieout backup copies/2026-11-02', 'tieout backup books-copy --ledger sqlite:books.db'],
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'put a backup in its place, when it is whole',
    examples: ['tieout restore copies/2026-11-02 --replace'],
    load: async () => (await import('./backup.ts')).restoreCommand,
  },
  {
    name: 'doctor',
    summary: 'whether a close would find everything it needs',
    examples: ['tieout doctor --config shop/tieout.yaml'],
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'compare',
    summary: 'put the same sales to a second service, list what differs',
    examples: [
      'tieout compare 2026-10 --with https://tax.example.com/v2/',
      'tieout compare 2026-10 --with embedded --content my-content',
    ],
    load: async () => (await import('./compare.ts')).compareCommand,
  },
  {
    name: 'run',
    summary: 'run a pipeline of your own',
    examples: ['tieout run samples/pipelines/tax-by-state.ts 2026-10 top=3'],
    load: async () => (await import('./run-file.ts')).runFileCommand,
  },
  {
    name: 'audit-pack',
    summary: 'rebuild a period from the workspace and compare every byte',
    examples: ['tieout audit-pack 2026-10'],
    load: async () => (await import('./audit-pack.ts')).auditPackCommand,
  },
  {
    name: 'profile',
    summary: 'detect, test or draft a source profile',
    examples: [
      'tieout profile test orders_export.csv --time-zone America/Los_Angeles',
      'tieout profile init unknown.csv --output unknown.yaml',
    ],
    load: async () => (await import('./profile.ts')).profileCommand,
  },
  {
    name: 'returns',
    summary: 'the returns of the states that are known, line by line',
    examples: ['tieout returns', 'tieout returns OH --on 2026-10-31'],
    load: async () => (await import('./returns.ts')).returnsCommand,
  },
  {
    name: 'content',
    summary: 'the tax content: what it covers, and imports into it',
    examples: [
      'tieout content status',
      'tieout content suggest 2026-10',
      'tieout content import rates.csv --content my-content',
    ],
    load: async () => (await import('./content.ts')).contentCommand,
  },
  {
    name: 'serve',
    summary: 'the tax service over HTTP(S)',
    examples: ['tieout serve --port 8080 --ledger sqlite:books.db'],
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'worker',
    summary: 'take batches of closes that run with --workers queue',
    examples: ['tieout worker --config shop/tieout.yaml'],
    load: async () => (await import('./worker.ts')).workerCommand,
  },
  {
    name: 'account',
    summary: 'accounts and keys of the tax service',
    examples: [
      'tieout account add my-shop --nexus \'[{"country":"US","state":"CA"}]\'',
      'tieout account key add my-shop',
    ],
    load: async () => (await import('./account.ts')).accountCommand,
  },
];
