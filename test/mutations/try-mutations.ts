import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTATIONS, type Mutation } from './mutations.ts';

/**
 * `npm run test:mutations`: break each guard alone, in a copy of this tree, and see that its test fails for it. Words
 * after it pick the guards whose name holds them. A test that passes with its guard broken ends it with 1.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_COPIED = /^(?:node_modules|\.git|output)$/;

const copyOfTree = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'tieout-mutations-'));
  const isCopied = (path: string) => !NOT_COPIED.test(path.slice(ROOT.length).split('/')[0] ?? '');
  cpSync(ROOT, copy, { recursive: true, filter: isCopied, preserveTimestamps: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

type Outcome = { readonly passes: boolean; readonly failed: readonly string[] };

const runTest = (copy: string, { tier, test }: Mutation): Outcome => {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const options = ['--project', tier, test, '--reporter=json', `--outputFile=${report}`];
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...options], { cwd: copy, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    passes: status === 0,
    failed: tests.filter((each) => each.status === 'failed').map(({ fullName }) => fullName),
  };
};

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Whether the test notices: it fails with the guard broken. That it passes otherwise is what the suite shows. */
const isNoticed = (copy: string, mutation: Mutation): boolean => {
  const path = join(copy, mutation.file);
  const whole = readFileSync(path, 'utf8');
  if (whole.split(mutation.from).length !== 2) {
    say(`STALE    ${mutation.guard}: ${mutation.file} does not have exactly once: ${mutation.from}`);
    return false;
  }
  writeFileSync(
    path,
    whole.replace(mutation.from, () => mutation.to),
  );
  const { passes, failed } = runTest(copy, mutation);
  writeFileSync(path, whole);
  // A file that cannot be loaded fails without a test of it: that would prove nothing.
  const noticed = !passes && failed.length > 0;
  say(`${noticed ? 'noticed ' : 'MISSED  '} ${mutation.guard}: ${mutation.test}`);
  for (const name of failed.slice(0, 3)) say(`           ${name}`);
  return noticed;
};

const words = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ guard }) => words.every((word) => guard.includes(word)));
const copy = copyOfTree();
try {
  const missed = chosen.filter((mutation) => !isNoticed(copy, mutation));
  say(`${chosen.length - missed.length} of ${chosen.length} broken guards were noticed`);
  process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
