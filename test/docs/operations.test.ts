import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ended, serving } from '../cli/serving.ts';
import { send } from '../contract/send.ts';
import { temporaryFolder } from '../support/tieout.ts';

const FOLDER = join(import.meta.dirname, '../../docs');
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
};
const { groups } = parse(textOf('operations/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

const board = JSON.parse(textOf('operations/board.json')) as {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

const METRIC = /\b(?:tieout|process|nodejs)_[a-z0-9_]+/g;
/** Series that a histogram has beside its name. */
const SERIES_OF_HISTOGRAM = /_(?:bucket|count|sum)$/;

/** The metrics that an expression asks for; names of labels stand alone. */
const metricsIn = (expression: string): readonly string[] =>
  (expression.match(METRIC) ?? []).map((name) => name.replace(SERIES_OF_HISTOGRAM, ''));

describe('what watches the service', () => {
  it('asks for metrics that the service has, and for all of its own', async () => {
    const ledger = `sqlite:${join(await temporaryFolder(), 'ledger.db')}`;
    const options = ['--processes', '2', '--metrics-port', '0', '--drain', '0', '--ledger', ledger];
    const { metrics = '', child } = await serving(options);
    const { text } = await send(metrics);
    const served = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const asked = new Set(expressions.flatMap(metricsIn));
    expect([...asked].filter((name) => !served.has(name))).toEqual([]);
    const own = [...served].filter((name) => name.startsWith('tieout_'));
    expect(own).toHaveLength(5);
    expect(own.filter((name) => !asked.has(name))).toEqual([]);
    expect(await ended(child)).toBe(0);
  });

  it('is explained alert by alert', () => {
    const page = textOf('serving.md');
    expect(rules.filter(({ alert }) => !page.includes(`| ${alert} `))).toEqual([]);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });
});
