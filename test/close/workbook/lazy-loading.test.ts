import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Whether exceljs is among the modules that a fresh process has loaded after running a script. */
const loadsExceljs = async (script: string): Promise<boolean> => {
  const report = `
    const { createRequire } = await import('node:module');
    const loaded = Object.keys(createRequire(process.cwd() + '/package.json').cache);
    console.log(loaded.some((path) => path.includes('/exceljs/')));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script + report]);
  return stdout.trim() === 'true';
};

test('to define sheets costs nothing of what it costs to write them', async () => {
  const definitions = ['checks-sheet', 'sheet', 'write-workbook'];
  const imports = definitions.map((name) => `await import('./src/close/workbook/${name}.ts');`).join('');
  expect(await loadsExceljs(imports)).toBe(false);
  expect(await loadsExceljs("await import('exceljs');")).toBe(true);
});
