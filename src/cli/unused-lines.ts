import { readFile } from 'node:fs/promises';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { placedDocument } from '../close/configuration/yaml-lines.ts';
import type { UnusedDecision } from '../close/periods/unused-decisions.ts';
import { formatMoney, ZERO } from '../kernel/money.ts';
import { shownMoney } from '../kernel/shown-figures.ts';

/** A line for each decision of the configuration that fits nothing, with its place in the file. */
export const unusedLines = async (
  decisions: readonly UnusedDecision[],
  { file, entity }: Pick<LoadedConfiguration, 'file' | 'entity'>,
): Promise<readonly string[]> => {
  if (decisions.length === 0) return [];
  const { document, lineOf } = placedDocument(await readFile(file, 'utf8'));
  const { entities = [] } = document.toJS() as { readonly entities?: readonly { readonly entity: string }[] };
  const own = ['entities', entities.findIndex((one) => one.entity === entity)];
  return decisions.map((decision) => {
    const [, key = '', index = ''] = /^(.*)\[(\d+)\]$/.exec(decision.place) ?? [];
    const path = [...key.split('.'), Number(index)];
    const line = lineOf(document.hasIn([...own, ...path]) ? [...own, ...path] : path);
    return `${file}:${line}: \`${key}\` has ${unusedText(decision)}`;
  });
};

/** What was looked for, what the closed periods have instead, and what to write. */
const unusedText = ({ records, code, verdict, tax, found, lacking }: UnusedDecision): string => {
  const record = records.join(', ');
  const isTax = verdict === 'set-by-hand';
  const what = isTax ? `${record} with tax ${shownMoney(tax ?? ZERO)}` : `${record} with code ${code}`;
  const other = isTax ? found.find((one) => one.code === code && one.tax !== undefined) : undefined;
  if (other?.tax !== undefined)
    return `${what}, and the shop charged ${shownMoney(other.tax)}: an override takes the tax that was charged; write tax: "${formatMoney(other.tax)}", or remove it`;
  if (lacking.length > 0)
    return `${what}, which fits nothing in the exports as they are: ${lacking.join(', ')} may lack records; keep it until the files are whole`;
  const codes = [...new Set(found.map((one) => one.code))].join(', ');
  if (!isTax && codes !== '')
    return `${what}, and the periods closed so far have it with ${codes}: correct the code, or remove it`;
  return `${what}, which fits nothing: no period closed so far has ${isTax ? 'a variance of it that nothing explains' : 'such an exception'}; correct it, or remove it if the exports are whole`;
};
