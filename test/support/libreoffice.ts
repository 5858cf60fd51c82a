import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type TestContext, test } from 'vitest';
import { storedCells } from './stored-cells.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;
/** Sums of binary fractions differ in their last digits; a cent is five hundred thousand times this. */
const TOLERANCE = 1e-8;
const TOLERANCE_RELATIVE = 1e-12;
export const MISSING_LIBREOFFICE = 'LibreOffice is not installed: the Debian package libreoffice-calc has it';

/** A formula's cell: what the file says its result is, and what LibreOffice makes of it. */
export type RecalculatedCell = {
  /** `By state!C7` */
  readonly place: string;
  readonly formula: string;
  readonly cached: unknown;
  readonly recalculated: unknown;
};

/** Path of LibreOffice's program on a search path. */
export const findSoffice = (searchPath: string): string | undefined =>
  searchPath
    .split(delimiter)
    .map((folder) => join(folder, 'soffice'))
    .find((path) => existsSync(path));

type Environment = Readonly<Record<string, string | undefined>>;

/** What becomes of a test that needs LibreOffice. */
const verdictOn = (environment: Environment): 'run' | 'skip' | 'fail' => {
  if (findSoffice(environment['PATH'] ?? '') !== undefined) return 'run';
  return environment['TIEOUT_REQUIRE_LIBREOFFICE'] === '1' ? 'fail' : 'skip';
};

/**
 * A test that needs LibreOffice. Without it the test is skipped and says why; where TIEOUT_REQUIRE_LIBREOFFICE is 1,
 * as in CI, it fails.
 */
export const testWithLibreOffice = (name: string, body: () => Promise<void>): void => {
  test(name, { timeout: TIMEOUT_MS }, async (context: TestContext) => {
    const verdict = verdictOn(process.env);
    if (verdict === 'fail') throw new Error(MISSING_LIBREOFFICE);
    if (verdict === 'skip') context.skip(MISSING_LIBREOFFICE);
    await body();
  });
};

/**
 * Calc's setting "Recalculation on File Load, Excel 2007 and newer: Always". By default it recalculates files of other
 * programs only after asking, which in a headless run means never.
 */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`;

/** Convert a copy of a file with a user profile of its own, and hand the folder of the result to a function. */
export const converted = async <Result>(
  path: string,
  filter: string,
  use: (folder: string, name: string) => Promise<Result>,
  options: readonly string[] = [],
): Promise<Result> => {
  const program = findSoffice(process.env['PATH'] ?? '');
  if (program === undefined) throw new Error(MISSING_LIBREOFFICE);
  const folder = await mkdtemp(join(tmpdir(), 'tieout-soffice-'));
  try {
    const name = basename(path);
    await mkdir(join(folder, 'profile', 'user'), { recursive: true });
    await writeFile(join(folder, 'profile', 'user', 'registrymodifications.xcu'), PROFILE);
    await copyFile(path, join(folder, name));
    const profile = pathToFileURL(join(folder, 'profile')).href;
    const output = join(folder, 'converted');
    await run(
      program,
      [
        `-env:UserInstallation=${profile}`,
        '--headless',
        ...options,
        '--convert-to',
        filter,
        '--outdir',
        output,
        join(folder, name),
      ],
      { timeout: TIMEOUT_MS },
    );
    return await use(output, name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Open a copy of a workbook in LibreOffice, calculate everything again, and list every cell that holds a formula. */
export const recalculate = async (path: string): Promise<RecalculatedCell[]> => {
  const before = await storedCells(path);
  const after = await converted(path, 'xlsx:Calc MS Excel 2007 XML', (folder, name) =>
    storedCells(join(folder, name)),
  );
  const results = new Map(after.map(({ place, value }) => [place, value]));
  return before.flatMap(({ place, formula, value }) =>
    formula === undefined ? [] : [{ place, formula, cached: value, recalculated: results.get(place) }],
  );
};

/** The formula cells whose result LibreOffice does not confirm. */
export const unconfirmed = (cells: readonly RecalculatedCell[]): RecalculatedCell[] =>
  cells.filter(({ cached, recalculated }) => !agree(cached, recalculated));

const agree = (left: unknown, right: unknown): boolean => {
  if (typeof left === 'number' && typeof right === 'number') {
    return Math.abs(left - right) <= Math.max(TOLERANCE, TOLERANCE_RELATIVE * Math.abs(left));
  }
  return left === right;
};
