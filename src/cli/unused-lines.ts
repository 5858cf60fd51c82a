import { readFile } from 'node:fs/promises';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { placedDocument } from '../close/configuration/yaml-lines.ts';
import type { Decision } from '../close/decisions/decision.ts';

/** A line for each decision of the configuration that fits nothing, with its place in the file. */
export const unusedLines = async (
  decisions: readonly Decision[],
  { file, entity }: Pick<LoadedConfiguration, 'file' | 'entity'>,
): Promise<readonly string[]> => {
  if (decisions.length === 0) return [];
  const { document, lineOf } = placedDocument(await readFile(file, 'utf8'));
  const { entities = [] } = document.toJS() as { readonly entities?: readonly { readonly entity: string }[] };
  const own = ['entities', entities.findIndex((one) => one.entity === entity)];
  return decisions.map(({ place, records, code, verdict }) => {
    const [, key = '', index = ''] = /^(.*)\[(\d+)\]$/.exec(place) ?? [];
    const path = [...key.split('.'), Number(index)];
    const line = lineOf(document.hasIn([...own, ...path]) ? [...own, ...path] : path);
    const what = verdict === 'accept' ? `${records.join(', ')} with code ${code}` : records.join(', ');
    return `${file}:${line}: \`${key}\` has ${what}, which fits nothing in any period closed so far; correct or remove it`;
  });
};
