import { deepStrictEqual } from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Build what runs: `dist/` with the command, the library and the data. Everything is bundled, the packages too, so
 * that an installed Tieout needs nothing but Node. With `--if-stale` a build that is newer than its sources stays;
 * `--types` adds the types of the library.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** Written last, so that a build that was cut off is made again. */
const STAMP = join(DIST, 'third-party-licenses.txt');
const SOURCES = ['src', 'pipelines', 'scripts/build.js', 'package.json', 'package-lock.json'];

/** What a process or a thread starts with, and what programs import. */
const ENTRIES = {
  tieout: 'src/start.js',
  index: 'src/index.ts',
  'serve-process': 'src/app/serve-process.ts',
};

const sources = (...names) => names.map((name) => join(ROOT, 'src', `${name}.ts`));

/** Modules that every process begins with. */
const STARTED_WITH = sources(
  // What every command prints, and what every part of it may throw.
  ...['cli/print', 'kernel/calendar'],
  ...['kernel/errors', 'runtime/hold-memory'],
);

/** Modules that a close imports when it gets to them. One large file is read faster than a hundred and fifty small ones. */
const CLOSED_WITH = sources(
  ...['app/build-service', 'app/build-close', 'cli/close'],
  ...['judge/decided-in', 'content/load-content', 'service/tax-service'],
);

/** Returns the modules that these import, and those that these import, as far as they are imported at the start. */
const importedBy = (ids, context) => {
  const found = new Set();
  const add = (id) => {
    if (found.has(id)) return;
    found.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(add);
  };
  ids.forEach(add);
  return found;
};

const DATA_MODULE = /\/([\w-]+)\.data\.ts$/;
const MODULE_URL = /new URL\('\.\.?\/([\w-]+)\.ts', import\.meta\.url\)/g;

/**
 * Evaluate modules named `*.data.ts` now: each exports one function, `data`, which reads sources and gives plain JSON.
 * What runs reads that JSON from one file instead.
 */
const dataModules = {
  name: 'data-modules',
  load: {
    filter: { id: DATA_MODULE },
    async handler(id) {
      const fileName = `${DATA_MODULE.exec(id)[1]}.json`;
      const value = (await import(pathToFileURL(id).href)).data();
      const source = JSON.stringify(value);
      deepStrictEqual(JSON.parse(source), value, `${id} is not plain JSON`);
      this.emitFile({ type: 'asset', fileName, source });
      return {
        moduleType: 'js',
        code: `import { readFileSync } from 'node:fs';
export const data = () => JSON.parse(readFileSync(new URL('./${fileName}', import.meta.url), 'utf8'));`,
      };
    },
  },
};

/** Entries that a source names by its address keep their names in the build. */
const moduleAddresses = {
  name: 'module-addresses',
  transform: {
    filter: { code: MODULE_URL },
    handler: (code) => ({ code: code.replace(MODULE_URL, "new URL('./$1.js', import.meta.url)"), map: null }),
  },
};

/** The licences of the packages in the bundle, and of the data, which their terms ask to pass on. */
const licensesOf = async (modules) => {
  const folders = new Set();
  for (const id of modules) {
    const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
    if (folder) folders.add(folder);
  }
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file ? await readFile(join(folder, file), 'utf8') : '';
    return `${name} ${version} (${license ?? 'see its repository'})\n\n${text.trim()}\n`;
  });
  texts.push(readFile(join(ROOT, 'src/content/data/NOTICE.txt'), 'utf8'));
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
};

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true, recursive: true }).flatMap((entry) =>
        join(entry.parentPath, entry.name),
      )
    : [path];

const isFresh = () => {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.flatMap((path) => filesIn(join(ROOT, path))).every((file) => statSync(file).mtimeMs < built);
};

/** Puts these modules, and what they import at the start, into one chunk. */
const together = (name, ids, priority) => {
  let found;
  const named = (id, context) => {
    found ??= importedBy(ids, context);
    return found.has(id) ? name : null;
  };
  return { name: named, debugName: name, priority };
};

const build = async () => {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    // Optional parts of packages that Tieout does not use.
    external: ['pg-native', '@aws-sdk/client-s3'],
    plugins: [dataModules, moduleAddresses],
    // One command imports later what another begins with.
    checks: { ineffectiveDynamicImport: false },
  });
  await rm(DIST, { recursive: true, force: true });
  const { output } = await bundle.write({
    dir: DIST,
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    // What every start needs is small, and reading one file is faster than reading eight.
    codeSplitting: {
      groups: [
        { name: 'start', test: (id) => STARTED_WITH.includes(id), priority: 3 },
        // Every command has these, so a close only needs the others. `main.ts` waits for the command, whose chunks
        // therefore must not import that of `main.ts`.
        together('command', sources('app/build-io', 'app/program', 'cli/run'), 2),
        together('close', CLOSED_WITH, 1),
        // Their maps, which lead to no source of ours, are the largest of the packages.
        ...['undici', 'pg-boss'].map((name) => ({
          name,
          test: new RegExp(`[/\\\\]node_modules[/\\\\]${name}[/\\\\]`),
        })),
      ],
    },
    // What has other characters than these takes Node twice the memory and longer to read.
    charset: 'ascii',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  const bundled = new Set(output.flatMap(({ moduleIds = [] }) => moduleIds));
  deepStrictEqual(
    STARTED_WITH.filter((id) => !bundled.has(id)),
    [],
    'the build starts without these modules',
  );
  // Lines of packages alone lead to no source of ours.
  for (const { fileName, moduleIds = [] } of output)
    if (!moduleIds.some((id) => id.startsWith(join(ROOT, 'src'))))
      await rm(join(DIST, `${fileName}.map`), { force: true });
  await cp(join(ROOT, 'src/content/data'), join(DIST, 'data'), { recursive: true });
  await writeFile(STAMP, await licensesOf(output.flatMap((chunk) => chunk.moduleIds ?? [])));
};

/** The types of `src/index.ts` in one file, those of the packages among them. Only zod's refuse to be bundled. */
const buildTypes = async () => {
  const [{ rolldown }, { dts }] = await Promise.all([import('rolldown'), import('rolldown-plugin-dts')]);
  const bundle = await rolldown({
    cwd: ROOT,
    input: { index: ENTRIES.index },
    platform: 'node',
    external: (id) => /^(node:|[a-z@])/.test(id) && !id.startsWith('kysely'),
    treeshake: { moduleSideEffects: false },
    plugins: [dts({ emitDtsOnly: true, compilerOptions: { noEmit: false } })],
  });
  await bundle.write({ dir: DIST, format: 'esm' });
};

const isAsked = (option) => process.argv.includes(option);
if (!isAsked('--if-stale') || !isFresh()) await build();
if (isAsked('--types')) await buildTypes();
