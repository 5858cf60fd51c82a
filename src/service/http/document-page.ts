import { API_VERSIONS } from '../../contract/api-version.ts';
import type { Json } from '../../kernel/digest.ts';
import { PAGE_STYLE } from './page-style.ts';

type Node = { readonly [key: string]: Json | undefined };

/** The OpenAPI document as one page for people, which needs nothing but itself. */
export const documentPage = (document: Node): string => {
  const info = nodeOf(document['info']);
  const operations = Object.entries(nodeOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(nodeOf(methods)).map(([method, operation]) => ({
      path,
      method,
      operation: nodeOf(operation),
    })),
  );
  const schemas = Object.entries(nodeOf(nodeOf(document['components'])['schemas']));
  const base = textOf(nodeOf(listOf(document['servers'])[0])['url']);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(textOf(info['title']))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<nav aria-label="Contents">
<h2>Operations</h2>
<ul>${operations.map(({ path, method, operation }) => `<li><a href="#${anchorOf(operation)}">${badge(method)} ${escaped(path)}</a></li>`).join('')}</ul>
<h2>Objects</h2>
<ul>${schemas.map(([name]) => `<li><a href="#${escaped(name)}">${escaped(name)}</a></li>`).join('')}</ul>
</nav>
<main>
<h1>${escaped(textOf(info['title']))}</h1>
<p>${escaped(textOf(info['description']))} All paths are below <code>${escaped(base)}</code>.</p>
<p>Every request carries its key: <code>Authorization: Bearer KEY</code> or <code>Authorization: Token token="KEY"</code>.
It may name a dated version of the interface in its header <code>x-api-version</code>: ${API_VERSIONS.join(', ')}.
The same description for programs is <a href="/openapi.json">openapi.json</a>.</p>
<h2>Operations</h2>
${operations.map(operationSection).join('\n')}
<h2>Objects</h2>
${schemas.map(([name, schema]) => `<section id="${escaped(name)}"><h3>${escaped(name)}</h3>${fieldTable(nodeOf(schema))}</section>`).join('\n')}
</main>
</body>
</html>
`;
};

const operationSection = ({
  path,
  method,
  operation,
}: {
  readonly path: string;
  readonly method: string;
  readonly operation: Node;
}): string => {
  const body = operation['requestBody'];
  return `<section id="${anchorOf(operation)}">
<h3>${badge(method)} <code>${escaped(path)}</code></h3>
<p>${escaped(textOf(operation['summary']))}</p>
${parameterTable(listOf(operation['parameters']).map(nodeOf))}
${body === undefined ? '' : `<p>Body: ${typeText(schemaOfContent(nodeOf(body)))}</p>`}
${answersText(nodeOf(operation['responses']))}
</section>`;
};

/** Headers are the same for all operations, so they are not said again at each. */
const parameterTable = (parameters: readonly Node[]): string =>
  table(
    ['Parameter', 'Type', ''],
    parameters
      .filter((parameter) => parameter['in'] !== 'header')
      .map((parameter) => [
        `<code>${escaped(textOf(parameter['name']))}</code>`,
        typeText(nodeOf(parameter['schema'])),
        `in the ${escaped(textOf(parameter['in']))}${parameter['required'] === true ? ', required' : ''}`,
      ]),
  );

const answersText = (responses: Node): string => {
  const answers = Object.entries(responses).map(([status, response]) => ({
    status: escaped(status),
    meaning: escaped(textOf(nodeOf(response)['description'])),
    body: typeText(schemaOfContent(nodeOf(response))),
  }));
  const isSuccess = (status: string) => status.startsWith('2');
  const refusals = answers.filter(({ status }) => !isSuccess(status));
  return `${answers
    .filter(({ status }) => isSuccess(status))
    .map(({ status, body }) => `<p>Answer <code>${status}</code>: ${body}</p>`)
    .join('')}<p>Refusals ${refusals
    .map(({ status, meaning }) => `<code title="${meaning}">${status}</code>`)
    .join(' ')}: ${refusals[0]?.body ?? ''}</p>`;
};

const fieldTable = (schema: Node): string => {
  const required = new Set(listOf(schema['required']));
  return table(
    ['Field', 'Type', ''],
    Object.entries(nodeOf(schema['properties'])).map(([name, field]) => [
      `<code>${escaped(name)}</code>`,
      typeText(nodeOf(field)),
      required.has(name) ? 'required' : '',
    ]),
  );
};

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<div class="wide"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</tbody></table></div>`;

/** A schema in a few words: `text or number`, `list of TaxLineItem`, with a link to each object. */
const typeText = (schema: Node): string => {
  const reference = textOf(schema['$ref']).split('/').at(-1) ?? '';
  if (reference !== '') return `<a href="#${escaped(reference)}">${escaped(reference)}</a>`;
  const alternatives = listOf(schema['anyOf'] ?? schema['oneOf']);
  if (alternatives.length > 0) return alternatives.map((one) => typeText(nodeOf(one))).join(' or ');
  const choices = listOf(schema['enum']);
  if (choices.length > 0)
    return choices.map((choice) => `<code>${escaped(String(choice))}</code>`).join(', ');
  if (schema['const'] !== undefined) return `<code>${escaped(JSON.stringify(schema['const']))}</code>`;
  const types = listOf(schema['type']);
  if (types.length > 0) return types.map((type) => typeText({ ...schema, type })).join(' or ');
  switch (schema['type']) {
    case 'array':
      return `list of ${typeText(nodeOf(schema['items']))}`;
    case 'object':
      return `{ ${Object.entries(nodeOf(schema['properties']))
        .map(([name, field]) => `<code>${escaped(name)}</code>: ${typeText(nodeOf(field))}`)
        .join(', ')} }`;
    case 'string':
      return schema['maxLength'] === undefined ? 'text' : `text of up to ${schema['maxLength']}`;
    default:
      return escaped(textOf(schema['type']) || 'anything');
  }
};

const schemaOfContent = (holder: Node): Node =>
  nodeOf(nodeOf(nodeOf(holder['content'])['application/json'])['schema']);

const badge = (method: string): string =>
  `<span class="method ${escaped(method)}">${escaped(method.toUpperCase())}</span>`;

const anchorOf = (operation: Node): string => escaped(textOf(operation['operationId']));

const nodeOf = (value: Json | undefined): Node =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Node) : {};

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
