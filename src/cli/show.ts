import { Command } from 'commander';
import { showExceptions, showSales } from '../close/evidence/show-sales.ts';
import { readManifest } from '../close/evidence/verify-files.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import type { Origin } from '../kernel/finding.ts';
import type { CommandIo } from './io.ts';
import { periodFolders } from './period-folders.ts';
import { showException, showText } from './show-text.ts';

/** `tieout show FOLDER [TEXT]`: sales of closed periods from their evidence; with a text, also records that are held or rejected. */
export const showCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('show')
    .argument('<folder>', 'the folder of a period, or of an entity with all its periods')
    .argument('[text]', 'only records with this text in their names, such as `order/5010` or `#5010`')
    .option('--json', 'print all that is known of each, one JSON object a line')
    .action(async (folder: string, text = '', { json }: { readonly json?: boolean } = {}) => {
      let shown = 0;
      for (const each of await periodFolders(folder)) {
        const manifest = await readManifest(each);
        if (typeof manifest === 'string') throw unreadable(each, manifest);
        const exceptions = Map.groupBy(await showExceptions(each, text), ({ origin }) => placeOf(origin));
        for await (const sale of showSales(each, manifest, text)) {
          const place = placeOf(sale.sale.origin);
          io.print(json ? `${JSON.stringify(sale)}\n` : showText(sale, exceptions.get(place) ?? []));
          exceptions.delete(place);
          shown += 1;
        }
        // Who names a record wants to know of it, whatever it is; a listing has sales alone.
        for (const exception of text === '' ? [] : [...exceptions.values()].flat()) {
          io.print(json ? `${JSON.stringify({ exception })}\n` : showException(exception));
          shown += 1;
        }
      }
      if (shown === 0)
        io.warn(`No sale or exception in ${folder}${text === '' ? '' : ` has "${text}" in its name`}.\n`);
      exit(shown > 0 ? ExitCode.clean : ExitCode.open);
    });

const placeOf = ({ file, line, record }: Origin): string => JSON.stringify([file, line, record]);

const unreadable = (folder: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    recovery: 'fix-input',
    message: `${folder} cannot be shown: ${problem}`,
    nextStep: `\`tieout verify ${folder}\` shows what does not hold`,
  });
