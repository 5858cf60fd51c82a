import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '../backup/back-up.ts';
import { type Restored, restore } from '../backup/restore.ts';
import { archivedDatabases, copyLine, copyLines, type KeptOptions, withKept } from './archived-databases.ts';
import type { CommandIo } from './io.ts';

/** `tieout backup FOLDER`: copies of the databases, taken while they are in use. */
export const backupCommand = (io: CommandIo): Command =>
  withKept(
    new Command('backup').argument('<folder>', 'where the copies go; it must not be there yet'),
  ).action(async (folder: string, options: KeptOptions) => {
    const { databases, entities } = await archivedDatabases(options);
    const note = await backUp(databases, resolve(folder), { program: io.program, entities });
    io.print(options.json ? `${JSON.stringify({ folder, ...note }, null, 2)}\n` : copyLines(note));
  });

type Options = KeptOptions & { readonly replace?: boolean; readonly setBack?: readonly string[] };

/** `tieout restore FOLDER`: a backup in the place of its databases, or not at all. */
export const restoreCommand = (io: CommandIo): Command =>
  withKept(new Command('restore').argument('<folder>', 'what `tieout backup` wrote'))
    .option('--replace', 'take the place of what is damaged')
    .option('--set-back <file...>', 'take the place of these databases, too, although they are sound')
    .action(async (folder: string, { replace = false, setBack = [], ...options }: Options) => {
      const { databases, entities } = await archivedDatabases(options);
      const replacing = { damaged: replace, sound: setBack.map((file) => resolve(file)) };
      const restored = await restore(resolve(folder), databases, { replacing, entities });
      io.print(
        options.json
          ? `${JSON.stringify({ folder, databases: restored.map(restoredObject) }, null, 2)}\n`
          : `${restored.map(restoredLine).join('\n')}\n${restored.some(({ isReplaced }) => isReplaced) ? AFTERWARDS : ''}`,
      );
    });

/** What came after the backup is in the exports, and in the other database where that was left as it is. */
const AFTERWARDS =
  'Next: close every month again that was closed since the backup: what it lacks is read and sent again. For a locked month, unlock it, close it and lock it.\n';

const restoredObject = ({ note, file, was, isReplaced }: Restored): object => ({
  ...note,
  file,
  was,
  replaced: isReplaced,
});

const restoredLine = ({ note, file, was, isReplaced }: Restored): string =>
  isReplaced ? `${copyLine(note)}; ${file} was ${was}` : `${note.name}: left as it is: ${file} is ${was}`;
