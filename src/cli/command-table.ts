import type { Command } from 'commander';
import type { ExitCode } from '../kernel/errors.ts';
import type { CommandIo } from './io.ts';

export type BuildCommand = (io: CommandIo, exit: (code: ExitCode) => void) => Command;

/** The headings under which commands are listed, each with a page with more information. */
export const PAGES = {
  Start: 'docs/first-books.md',
  Close: 'docs/cron.md',
  'File and lock': 'docs/periods.md',
  Prove: 'docs/auditors.md',
  Maintain: 'docs/README.md',
  'Serve and extend': 'docs/serving.md',
} as const;

/** A command with its description. Only the command that runs is loaded. */
export type CommandEntry = {
  readonly name: string;
  readonly group: keyof typeof PAGES;
  /** Begins with a verb. */
  readonly summary: string;
  /** Command lines shown in its help; a subcommand shows those that begin with its own name. */
  readonly examples: readonly [string, ...string[]];
  readonly load: () => Promise<BuildCommand>;
};

/** Every command, in the order of `tieout --help`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    group: 'Start',
    summary: 'Propose a configuration from a folder of exports',
    examples: ['tieout init exports', 'tieout init exports --yes --ship-from 95814'],
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'doctor',
    group: 'Start',
    summary: 'Check that a close has everything it needs',
    examples: ['tieout doctor --config shop/tieout.yaml'],
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'profile',
    group: 'Start',
    summary: 'List, test or draft source profiles',
    examples: [
      'tieout profile list',
      'tieout profile test orders_export.csv --time-zone America/Los_Angeles',
      'tieout profile init unknown.csv --output unknown.yaml',
    ],
    load: async () => (await import('./profile.ts')).profileCommand,
  },
  {
    name: 'close',
    group: 'Close',
    summary: 'Close a filing period: all stages, all workbooks',
    examples: [
      'tieout close 2026-10',
      'tieout close 2026-10 --plan --max-calculations 5000',
      'tieout close 2026-Q4 --config shop/tieout.yaml --only-news',
    ],
    load: async () => (await import('./close.ts')).closeCommand,
  },
  {
    name: 'backfill',
    group: 'Close',
    summary: 'Close many months within one call budget',
    examples: ['tieout backfill 2023-01..2025-12 --max-calculations 50000'],
    load: async () => (await import('./backfill.ts')).backfillCommand,
  },
  {
    name: 'status',
    group: 'Close',
    summary: 'Show the last run of each period, and its returns',
    examples: ['tieout status', 'tieout status 2026-10 --json'],
    load: async () => (await import('./status.ts')).statusCommand,
  },
  {
    name: 'sign',
    group: 'File and lock',
    summary: 'Sign the published folder of a period',
    examples: ['tieout sign 2026-10 --as "Dana Reyes" --role preparer'],
    load: async () => (await import('./lock.ts')).signCommand,
  },
  {
    name: 'lock',
    group: 'File and lock',
    summary: 'Freeze a filed period: figures, records and files',
    examples: ['tieout lock 2026-10 --as "Dana Reyes"'],
    load: async () => (await import('./lock.ts')).lockCommand,
  },
  {
    name: 'filed',
    group: 'File and lock',
    summary: 'Write down that a return was filed, and paid',
    examples: ['tieout filed 2026-10 TX --on 2026-11-20 --confirmation TX-48213'],
    load: async () => (await import('./filed.ts')).filedCommand,
  },
  {
    name: 'unlock',
    group: 'File and lock',
    summary: 'Reopen a locked period; who and why are kept',
    examples: ['tieout unlock 2026-10 --reason "wrong export" --as "Dana Reyes"'],
    load: async () => (await import('./lock.ts')).unlockCommand,
  },
  {
    name: 'verify',
    group: 'Prove',
    summary: 'Recalculate published folders from themselves, offline',
    examples: ['tieout verify output/my-shop/2026-10', 'tieout verify output/my-shop'],
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'show',
    group: 'Prove',
    summary: 'Print sales of a published folder, offline',
    examples: ['tieout show output/my-shop/2026-10 order/5010'],
    load: async () => (await import('./show.ts')).showCommand,
  },
  {
    name: 'content',
    group: 'Maintain',
    summary: 'Check and import tax rates',
    examples: [
      'tieout content status --on 2026-10-31',
      'tieout content import rates.csv --content my-content --plan',
    ],
    load: async () => (await import('./content.ts')).contentCommand,
  },
  {
    name: 'backup',
    group: 'Maintain',
    summary: 'Copy records, locks, decisions and locked folders',
    examples: ['tieout backup copies/2026-11-02', 'tieout backup service-copy --ledger sqlite:service.db'],
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'completion',
    group: 'Maintain',
    summary: 'Print shell completion for bash, zsh or fish',
    examples: [
      'tieout completion bash > ~/.local/share/bash-completion/completions/tieout',
      'tieout completion zsh > ~/.zfunc/_tieout',
      'tieout completion fish > ~/.config/fish/completions/tieout.fish',
    ],
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  {
    name: 'serve',
    group: 'Serve and extend',
    summary: 'Serve the tax service over HTTP or HTTPS',
    examples: [
      'tieout serve --port 8080 --ledger sqlite:service.db',
      'tieout serve --processes 4 --ledger postgres://tieout@db/service',
    ],
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'account',
    group: 'Serve and extend',
    summary: 'Manage accounts and keys of the tax service',
    examples: [
      'tieout account add my-shop --nexus \'[{"country":"US","state":"CA"}]\'',
      'tieout account list',
      'tieout account key add my-shop',
      'tieout account key list my-shop',
      'tieout account key revoke my-shop 2',
    ],
    load: async () => (await import('./account.ts')).accountCommand,
  },
  {
    name: 'worker',
    group: 'Serve and extend',
    summary: 'Take batches of closes that run with --workers queue',
    examples: ['tieout worker --config shop/tieout.yaml'],
    load: async () => (await import('./worker.ts')).workerCommand,
  },
];

/** The commands that select a configuration and its entities, and those that select a configuration alone. */
export const WITH_ENTITY = 'backfill close doctor filed lock sign status unlock worker'.split(' ');
export const WITH_CONFIGURATION = ['backup'];
