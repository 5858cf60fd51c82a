import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import type { FileSource } from '../contract/file-source.ts';
import { type CalendarDate, utcDateOf } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf, worstOf } from '../kernel/exit-code.ts';
import { proveWritable } from '../runtime/publish-folder.ts';
import type { FetchedFile } from '../service/content/fetch/fetch-files.ts';
import type { ImportReport } from '../service/content/import/import-content.ts';
import type { OfficialFileRow } from '../service/content/official-files.ts';
import type { TaxContent } from '../service/content/tax-content.ts';
import { contentUsage, importReportText, useOf } from './content-report.ts';
import type { CommandIo } from './io.ts';
import { errorObject, errorText } from './print-error.ts';

type Options = {
  readonly content?: string;
  readonly state?: string;
  readonly all?: boolean;
  readonly boundaries?: boolean;
  readonly from?: string;
  readonly downloads?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/** Builds `tieout content fetch`: downloads official files of states from their publishers into a content folder. */
export const fetchCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('fetch')
    .description('download the official files of states, show what they change, and import them')
    .option('--content <folder>', 'the content folder; one that is not there yet starts from that of Tieout')
    .option('--state <codes>', 'the states, as CO,WA')
    .option('--all', 'every state that publishes a file')
    .option('--boundaries', 'the boundary files too: ZIP+4 and street ranges, large files')
    .option('--from <folder>', 'take the files from a folder of downloads, and nothing from the network')
    .option('--downloads <folder>', 'where fetched files are kept (<content>-downloads)')
    .option('--yes', 'import without asking')
    .option('--json', 'one JSON object on standard output')
    .action(async (options: Options) => exit(await fetchContent(io, options)));

const fetchContent = async (io: CommandIo, options: Options): Promise<ExitCode> => {
  const folder = options.content;
  if (!folder)
    throw contentUsage(
      '--content names the folder, and it is missing',
      'The content that comes with Tieout is never changed; name a folder of your own.',
    );
  await proveWritable(existsSync(folder) ? folder : dirname(resolve(folder)));
  const { isUnbegun } = await import('../service/content/import/import-content.ts');
  const content = await io.loadContent(isUnbegun(folder) ? undefined : folder);
  const on = utcDateOf(io.clock.now());
  const { rows, pages } = rowsOf(content, options, on);
  const tell = options.json ? () => {} : (text: string) => io.print(text);
  if (options.state !== undefined || options.all)
    for (const row of pages) tell(`${row.state} ${row.what}: ${row.note}: ${row.page}\n`);

  const { fetchFiles } = await import('../service/content/fetch/fetch-files.ts');
  const downloads = options.downloads ?? `${folder.replace(/\/+$/, '')}-downloads`;
  let untaken: readonly string[] = [];
  const files = await withSource(io, options, async (source) => {
    const isWholeFolder = options.from !== undefined && options.state === undefined;
    const inside = isWholeFolder ? await inFolder(rows, source, on) : { found: rows, others: [] };
    const wanted = inside.found;
    untaken = inside.others;
    for (const name of untaken) tell(`not taken: ${name}: ${UNTAKEN}\n`);
    let count = 0;
    const done = (file: FetchedFile): void => {
      count += 1;
      tell(`${wanted.length > 1 ? `${count}/${wanted.length} ` : ''}${fileLine(file)}`);
    };
    return fetchFiles(wanted, { source, folder: downloads, on, done });
  });
  const imported = await importFetched(io, options, { content, folder, files, downloads, on, tell });
  const errors = [...files.flatMap(({ error }) => error ?? []), ...imported.errors];
  const open = imported.reports.length > 0 && !imported.written ? [ExitCode.open] : [];
  const left = untaken.length > 0 ? [ExitCode.open] : [];
  const code = worstOf([...errors.map(exitCodeOf), ...open, ...left]);
  if (options.json)
    io.print(`${JSON.stringify({ ...objectOf(files, imported, code), not_taken: untaken }, null, 2)}\n`);
  return code;
};

/** Returns the selected rows: those with a file, and those with only a web page. */
const rowsOf = (
  content: TaxContent,
  { state, all, boundaries, from }: Options,
  on: CalendarDate,
): { readonly rows: readonly OfficialFileRow[]; readonly pages: readonly OfficialFileRow[] } => {
  if (state === undefined && !all && from === undefined)
    throw contentUsage('no state is named', 'Name states with --state CO,WA, or take --all.');
  const wanted = state?.split(',').map((code) => code.trim().toUpperCase());
  const unknown = wanted?.find((code) => !content.states.has(code));
  if (unknown !== undefined)
    throw contentUsage(
      `"${unknown}" is not a state`,
      'Write postal codes with commas between them, as CO,WA.',
    );
  const rows = content.officialFiles.filter(
    (row) =>
      (wanted?.includes(row.state) ?? true) &&
      (row.what !== 'boundaries' || boundaries === true) &&
      row.from <= on &&
      on <= row.to,
  );
  const bare = wanted?.find((code) => !rows.some((row) => row.state === code));
  if (bare !== undefined)
    throw contentUsage(
      `no official file of ${bare} is known`,
      'It has no local taxes, or publishes no list: `tieout content status` says what its rates rest on.',
    );
  return { rows: rows.filter(({ file }) => file !== ''), pages: rows.filter(({ file }) => file === '') };
};

const UNTAKEN =
  'no official file has this name today (boundary files are taken with --boundaries); `tieout content import FILE --content FOLDER` takes it';

/** Returns, if no state was named, the rows whose files are in the folder, and the files that no row takes. */
const inFolder = async (
  rows: readonly OfficialFileRow[],
  source: FileSource,
  on: CalendarDate,
): Promise<{ readonly found: readonly OfficialFileRow[]; readonly others: readonly string[] }> => {
  const { chosenFile, isAwaited } = await import('../service/content/fetch/file-names.ts');
  const names = await source.listed('');
  const found = rows.filter((row) => chosenFile(names, row, on) !== undefined);
  const others = names.filter(
    (name) => !name.startsWith('.') && !found.some((row) => isAwaited(name, row, on)),
  );
  return { found, others };
};

const withSource = async <Result>(
  io: CommandIo,
  { from }: Options,
  work: (source: FileSource) => Promise<Result>,
): Promise<Result> => {
  if (from !== undefined) {
    const { folderFiles } = await import('../service/content/fetch/folder-files.ts');
    return work(folderFiles(from));
  }
  const { webFiles } = await import('../client/web-files.ts');
  const either = (name: string) => io.variable(name) ?? io.variable(name.toLowerCase()) ?? '';
  const proxy = { https: either('HTTPS_PROXY'), http: either('HTTP_PROXY'), none: either('NO_PROXY') };
  const web = webFiles({ program: io.program.replace(' ', '/'), proxy });
  return work(web).finally(() => web.close());
};

type Imported = {
  readonly reports: readonly ImportReport[];
  readonly errors: readonly TieoutError[];
  readonly written: boolean;
};

type ToImport = {
  readonly content: TaxContent;
  readonly folder: string;
  readonly files: readonly FetchedFile[];
  readonly downloads: string;
  readonly on: CalendarDate;
  readonly tell: (text: string) => void;
};

/** Imports the fetched files that are not in the content yet, all of them or none. */
const importFetched = async (
  io: CommandIo,
  { yes, json }: Options,
  { content, folder, files, downloads, on, tell }: ToImport,
): Promise<Imported> => {
  const news = files.flatMap(({ kept }) => (kept && !isImported(content, kept.sha256) ? [kept] : []));
  if (news.length === 0) {
    tell('nothing new to import\n');
    return { reports: [], errors: [], written: false };
  }
  const { stageImports } = await import('../service/content/import/staged-imports.ts');
  const staged = stageImports(folder);
  const reports: ImportReport[] = [];
  const errors: TieoutError[] = [];
  try {
    for (const { file, what, bytes } of news) {
      try {
        if (what === 'boundaries') tell(`reading ${file}: ${Math.ceil(bytes / 1_000_000)} MB\n`);
        const report = await staged.add(`${downloads}/${file}`, { on });
        reports.push({ ...report, written: false });
        tell(importReportText({ ...report, written: false }).replace(/^nothing was written\n/m, ''));
      } catch (error) {
        if (!(error instanceof TieoutError) || error.code !== 'E_CONTENT_REFUSED') throw error;
        errors.push(error);
        tell(errorText(error));
      }
    }
    const question = `Import ${reports.length === 1 ? 'this file' : `these ${reports.length} files`} into ${folder}?`;
    const isWanted = reports.length > 0 && (yes === true || (!json && (await isAgreed(io, question))));
    if (isWanted) staged.commit();
    const version = reports.at(-1)?.version;
    if (isWanted) tell(`imported; the content is now ${version}\n${useOf(folder)}`);
    else if (reports.length > 0) tell('nothing was imported; --yes imports without asking\n');
    return {
      reports: reports.map((report) => ({ ...report, written: isWanted })),
      errors,
      written: isWanted,
    };
  } finally {
    staged.discard();
  }
};

/** Whether the last import of this kind was this file. */
const isImported = ({ imports }: TaxContent, sha256: string): boolean => {
  const entry = imports.find((known) => known.sha256 === sha256);
  return (
    entry !== undefined &&
    imports.findLast(({ kind, state }) => kind === entry.kind && state === entry.state)?.sha256 === sha256
  );
};

const fileLine = ({ row, kept, isNew, error }: FetchedFile): string => {
  const what = `${row.state} ${row.what}`;
  if (error) return `${what}: ${errorText(error)}`;
  const since = isNew ? 'fetched' : `the same since ${kept?.on}`;
  return `${what}: ${kept?.file}, ${kept?.bytes} bytes, sha256 ${kept?.sha256}, ${since}\n`;
};

const objectOf = (files: readonly FetchedFile[], imported: Imported, code: ExitCode): object => ({
  exit_code: code,
  files: files.map(({ row: { state, what }, kept, error }) => ({
    state,
    what,
    ...(kept && { file: kept.file, address: kept.address, bytes: kept.bytes, sha256: kept.sha256 }),
    ...(kept && { on: kept.on, seen: kept.seen }),
    ...(error && errorObject(error)),
  })),
  imports: imported.reports,
  refused: imported.errors.map((error) => errorObject(error)),
  written: imported.written,
});

/** Asks for confirmation. Any answer except yes means no, as does a terminal without a person. */
const isAgreed = async ({ ask }: CommandIo, question: string): Promise<boolean> =>
  ask !== undefined && /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim());
