import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../contract/openapi.ts';
import { API_VERSIONS } from '../../contract/operations.ts';
import type { Json } from '../../kernel/digest.ts';

type Node = { readonly [key: string]: Json | undefined };

/** Build a self-contained page for people from the OpenAPI document. */
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

/** List the parameters of an operation without headers, which are the same for all operations. */
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

/** Describe a schema in a few words: `text or number`, `list of TaxLineItem`, with a link to each object. */
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

/** The style of the page: a column of contents beside the text, light or dark as the reader prefers. */
const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a4049); --soft: light-dark(#f4f6f8, #1d2127);
  --text: light-dark(#1c2530, #dfe4ea); --link: light-dark(#0b5cad, #7db8f5); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); display: grid;
  grid-template-columns: 21rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line);
  background: var(--soft); font-size: 13px; }
nav h2 { font-size: 13px; margin: 1rem 0 .5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .1rem 0; overflow-wrap: anywhere; }
main { padding: 1.5rem 2.5rem 4rem; max-width: 68rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
section { border-top: 1px solid var(--line); padding: 1rem 0; scroll-margin-top: .5rem; }
section:target { outline: 2px solid var(--link); outline-offset: .5rem; }
h3 { margin: 0 0 .25rem; font-size: 16px; } h3 code { font-size: 15px; } p { margin: .4rem 0; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-size: 12px; font-weight: 600; }
th:first-child { width: 16rem; } th:last-child { width: 11rem; }
.method { display: inline-block; min-width: 4em; font: 600 11px/1.6 ui-monospace, monospace; }
.get { color: light-dark(#1a6b34, #7fd39a); } .post { color: light-dark(#0b5cad, #7db8f5); }
.put { color: light-dark(#8a5a00, #e0b25c); } .delete { color: light-dark(#a3261d, #f0928a); }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; border: 0; }
  main { padding: 1rem; } }
`;

/** The page is self-contained, and may not fetch anything. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Serve the description of the interface for programs and for people. Neither needs a key. */
export const registerDocuments = (server: FastifyInstance): void => {
  const document = openApiDocument();
  const page = documentPage(document);
  server.get('/openapi.json', { config: { operation: 'document' } }, async () => document);
  server.get('/docs', { config: { operation: 'document' } }, async (_, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page),
  );
};
