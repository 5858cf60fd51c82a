import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launch, tieout } from '../support/tieout.ts';

const OLD_NODE = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";

const TELL_CACHE =
  "data:text/javascript,process.on('exit',()=>console.error(process.env.NODE_COMPILE_CACHE))";

describe('the entry point', () => {
  test.for([
    ['in the cache of the user', undefined, /\/tieout\n$/],
    ['the one that was named', join(tmpdir(), 'tieout-test-compile-cache'), /tieout-test-compile-cache\n$/],
  ] as const)('tells threads where compiled modules are kept: %s', async ([, named, told]) => {
    const ran = await tieout(['--version'], {
      node: ['--import', TELL_CACHE],
      env: { NODE_COMPILE_CACHE: named },
    });
    expect(ran.stderr).toMatch(told);
  });

  test('refuses a Node that is too old before it imports anything, and says what to do', async () => {
    const ran = await tieout(['close', '2026-10'], { node: ['--import', OLD_NODE] });
    expect(ran.code).toBe(78);
    expect(ran.stderr).toBe(
      'E_NODE_TOO_OLD: Tieout needs Node 24 or later, and this is Node 20.20.2.\n' +
        'Install Node 24 or later (https://nodejs.org) and run the same command again. In a checkout, ' +
        '`npm run tieout -- COMMAND` uses the Node that npm installed there.\n',
    );
  });

  test('names options that npm took because no -- stands before them', async () => {
    const ran = await launch(['close', '2026-10'], {
      env: { npm_lifecycle_event: 'tieout', npm_config_config: 'true', npm_config_json: 'true' },
    });
    expect(ran).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'E_USAGE: npm took --config and --json as its own option.\nWrite -- before the arguments: npm run tieout -- close ….\n',
    });
  });

  test('names the command that a misspelt one is nearest to', async () => {
    const ran = await tieout(['clsoe', '2026-10']);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      'E_USAGE: unknown command "clsoe".\nDid you mean close? Run `tieout --help` to see how it is used.\n',
    ]);
  });

  test.for([
    ['npm run tieout --', { npm_lifecycle_event: 'tieout' }],
    ['npm run tieout --', { npm_lifecycle_event: 'start' }],
    ['npx tieout', { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'tieout'" }],
    ['tieout', { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'vitest'" }],
    ['tieout', { npm_lifecycle_event: 'month-end' }],
  ] as const)('names commands in the form in which it was called: %s', async ([name, env]) => {
    const { stderr } = await tieout(['close', '2026-10', '--config', 'none.yaml', '--bogus'], { env });
    expect(stderr).toContain(`Run \`${name} close --help\` to see how it is used.`);
    const { stdout } = await tieout(['close', '--help'], { env });
    expect(stdout).toContain(`Usage: ${name} close [options] <period>\n`);
    expect(stdout).toContain(`\n  ${name} close 2026-10\n`);
  });

  test('prints its version', async () => {
    const ran = await tieout(['--version']);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test('starts for a user that the system does not know, who has no home', async () => {
    const unknown = 'data:text/javascript,process.setuid?.(54321)';
    const env = { HOME: undefined, XDG_CACHE_HOME: undefined, NODE_COMPILE_CACHE: undefined };
    const ran = await tieout(['--version'], { node: ['--import', unknown], env });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  });
});
