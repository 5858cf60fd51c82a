import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '../backup/back-up.ts';
import { restore } from '../backup/restore.ts';
import type { CommandIo } from './io.ts';
import { copyLines, type KeptOptions, keptDatabases, withKept } from './kept-databases.ts';

/** `tieout backup FOLDER`: copies of the databases, taken while they are in use. */
export const backupCommand = (io: CommandIo): Command =>
  withKept(
    new Command('backup').argument('<folder>', 'where the copies go; it must not be there yet'),
  ).action(async (folder: string, options: KeptOptions) => {
    const { databases, entities } = await keptDatabases(options);
    const note = await backUp(databases, resolve(folder), { program: io.program, entities });
    io.print(options.json ? `${JSON.stringify({ folder, ...note }, null, 2)}\n` : copyLines(note));
  });

type Options = KeptOptions & { readonly replace?: boolean };

/** `tieout restore FOLDER`: a backup in the place of its databases, or not at all. */
export const restoreCommand = (io: CommandIo): Command =>
  withKept(new Command('restore').argument('<folder>', 'what `tieout backup` wrote'))
    .option('--replace', 'take the place of databases that are there')
    .action(async (folder: string, options: Options) => {
      const { databases, entities } = await keptDatabases(options);
      const replace = options.replace === true;
      const note = await restore(resolve(folder), databases, { replace, entities });
      io.print(options.json ? `${JSON.stringify({ folder, ...note }, null, 2)}\n` : copyLines(note));
    });
