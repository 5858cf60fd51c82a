import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../contract/openapi.ts';
import { documentPage } from './document-page.ts';

/** The page needs nothing but itself, and may not fetch anything. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** The interface described for programs and for people. Neither needs a key. */
export const registerDocuments = (server: FastifyInstance): void => {
  const document = openApiDocument();
  const page = documentPage(document);
  server.get('/openapi.json', { config: { operation: 'document' } }, async () => document);
  server.get('/docs', { config: { operation: 'document' } }, async (_, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page),
  );
};
