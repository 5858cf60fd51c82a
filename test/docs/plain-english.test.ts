import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { tieout } from '../support/tieout.ts';

/** Turns of phrase that make a reader stumble, each with what to write instead. */
const STIFF: readonly (readonly [RegExp, string])[] = [
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b|such\b|need\b|way\b)\w/i, 'is not a …'],
  [/\b(?:is|are|was|were) none of\b/i, 'is not one of …'],
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\bnobody\b/i, 'no one'],
  [/\bnor any\b/i, 'or any'],
  [/\bbeforehand\b/i, 'in advance'],
  [/\botherwise than\b/i, 'differently from'],
  [/\bleans? on\b/i, 'relies on'],
  [/\bgoes on where it was\b/i, 'continues where it stopped'],
  [/\bnothing else there\b/i, 'a single …'],
];

const FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/*.md',
  'src/**/*.{ts,md}',
  'pipelines/**/*.ts',
];

const stiffLines = (text: string): readonly string[] =>
  text.split('\n').flatMap((line, index) => {
    const found = STIFF.find(([pattern]) => pattern.test(line));
    return found ? [`${index + 1}: ${line.trim()} (write: ${found[1]})`] : [];
  });

describe('what people read', () => {
  it('is written in plain English, comments included', () => {
    const found = globSync(FILES).flatMap((file) =>
      stiffLines(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`),
    );
    expect(found).toEqual([]);
  });

  /** Books are what a close writes, the ledger is the seller's general ledger, and the page is report.html. */
  const OTHER_MEANINGS: readonly RegExp[] = [
    /\b(?:its|the service’s|the service's) books\b/i,
    /\bbooks (?:of (?:the|a) (?:embedded|served|tax) |in memory)/i,
    /\b(?:your|the seller's) own ledger\b/i,
    /\bledger \(embedded/i,
    /\bthis page\b/i,
  ];

  it('gives books, ledger and page the meaning that the glossary has, in every guide and in all help', async () => {
    const guides = globSync(['README.md', 'docs/*.md'])
      .filter((file) => !/docs\/(?:testing|benchmarks|dependencies)\.md$/.test(file))
      .map((file) => [file, readFileSync(file, 'utf8')] as const);
    const helps = await Promise.all(
      COMMANDS.map(async ({ name }) => [name, (await tieout([name, '--help'])).stdout] as const),
    );
    const found = [...guides, ...helps].flatMap(([place, text]) =>
      text
        .split('\n')
        .flatMap((line) => (OTHER_MEANINGS.some((other) => other.test(line)) ? [`${place}: ${line}`] : [])),
    );
    expect(found).toEqual([]);
    expect(readFileSync('docs/README.md', 'utf8')).toMatch(
      /^\| books .*\n(?:.*\n)*\| ledger .*\n(?:.*\n)*\| page .*\n(?:.*\n)*\| service database /m,
    );
  });
});
