import { describe, expect, test } from 'vitest';
import { COMMANDS, WITH_CONFIGURATION, WITH_ENTITY } from '../../src/cli/command-table.ts';
import { month } from '../support/month.ts';
import { tieout } from '../support/tieout.ts';

describe('a command that a text names', () => {
  test('takes the configuration and the entity that the command was given', async () => {
    const shop = await month({
      entities: { oak: { orders: [{ name: '#1' }] }, pine: { orders: [{ name: '#1' }] } },
    });
    const chosen = `--config ${shop.config} --entity pine`;
    const { stderr } = await shop.run('lock', '2026-10', '--entity', 'pine');
    expect(stderr).toContain(`Run \`tieout close 2026-10 ${chosen}\` first; `);
    const { stdout } = await shop.run('lock', '2026-10', '--entity', 'pine', '--json');
    expect(JSON.parse(stdout).error.next_step).toContain(`Run \`tieout close 2026-10 ${chosen}\` first; `);
  });

  test('stands as it is where no configuration was given, and in a summary it takes the one that was', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    expect((await shop.run('close', '2026-10')).stdout).toContain(
      `\`tieout status 2026-10 --config ${shop.config}\` lists them\n`,
    );
    const here = await tieout(['lock', '2026-11'], { cwd: shop.folder });
    expect(here.stderr).toContain('Run `tieout close 2026-11` first; ');
  });

  test('is one of those that have these options', async () => {
    const found = { entity: [] as string[], configuration: [] as string[] };
    const names = COMMANDS.map(({ name }) => name);
    for (const name of names) {
      const { stdout } = await tieout([name, '--help']);
      // A command that needs no configuration file is named without one.
      if (!/\(default:\s+"tieout\.yaml"\)/.test(stdout)) continue;
      found[stdout.includes('--entity') ? 'entity' : 'configuration'].push(name);
    }
    expect(found).toEqual({
      entity: expect.arrayContaining([...WITH_ENTITY]),
      configuration: [...WITH_CONFIGURATION],
    });
    expect(found.entity.filter((name) => !WITH_ENTITY.includes(name))).toEqual([]);
  });
});
