import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** What is counted, by name: `src lines`, `guides words`. */
export type Figures = Readonly<Record<string, number>>;

const CODE = /\.(ts|js|py)$/;
/** Pages that a script prints from the code's tables: they grow with the tables, and nobody writes them. */
const PRINTED = /^docs\/(reasons|errors|configuration|source-profile-keys|coverage)\.md$/;

/** The size of the checkout at `root`, uncommitted changes and new files with it. */
export async function measureSize(root: string): Promise<Figures> {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const code = files.filter((path) => CODE.test(path));
  const below = (folders: RegExp) => code.filter((path) => folders.test(path));
  const words = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + (read(path).match(/\S+/g) ?? []).length, 0);

  const pages = files.filter((path) => /^docs\/.*\.md$/.test(path) && !PRINTED.test(path));
  const isDecision = (path: string): boolean => path.startsWith('docs/decisions/');
  const decisions = pages.filter(isDecision);
  const guides = pages.filter((path) => !isDecision(path));
  const commands: { COMMANDS: readonly unknown[] } = await import(
    pathToFileURL(join(root, 'src/cli/command-table.ts')).href
  );
  return {
    ...codeFigures('src', below(/^(src|pipelines)\//), read),
    ...codeFigures('scripts', below(/^(scripts|bench)\//), read),
    ...codeFigures('test', below(/^test\//), read),
    'guides words': words(guides),
    'decisions records': decisions.filter((path) => /\/\d{4}-[^/]+$/.test(path)).length,
    'decisions words': words(decisions),
    'changelog words': words(['CHANGELOG.md']),
    commands: commands.COMMANDS.length,
    'configuration keys': (read('docs/configuration.md').match(/^\| `/gm) ?? []).length,
    sheets: files.filter(isSheet).length,
  };
}

/** A text of the oracle for a sheet of the sample's books; `Book` is about the file as a whole. */
function isSheet(path: string): boolean {
  return /^test\/oracle\/golden\/sample-month\/[^/]+\.xlsx\/(?!Book\.txt$)[^/]+$/.test(path);
}

/** Lines without blank lines and comments, files, and the tokens that a line has on average. */
function codeFigures(name: string, paths: readonly string[], read: (path: string) => string): Figures {
  let lines = 0;
  let tokens = 0;
  let linesWithTokens = 0;
  for (const path of paths) {
    const text = read(path);
    const comment = path.endsWith('.py') ? /^\s*(#.*)?$/ : /^\s*($|\/\/|\/\*|\*)/;
    const code = text.split('\n').filter((line) => !comment.test(line)).length;
    lines += code;
    if (path.endsWith('.py')) continue;
    tokens += tokensOf(path, text);
    linesWithTokens += code;
  }
  return {
    [`${name} lines`]: lines,
    [`${name} files`]: paths.length,
    [`${name} tokens a line`]: Math.round((100 * tokens) / Math.max(1, linesWithTokens)) / 100,
  };
}

function tokensOf(path: string, text: string): number {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false);
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const parts = node.getChildren(source);
    if (parts.length > 0) parts.forEach(visit);
    else if (node.getWidth(source) > 0) count += 1;
  };
  visit(source);
  return count;
}
