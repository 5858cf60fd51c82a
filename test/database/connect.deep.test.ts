import { describe, expect, inject, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';

describe.runIf('url' in (inject('postgres') ?? {}))('a PostgreSQL server', () => {
  const server = inject('postgres');
  const address = new URL(server && 'url' in server ? server.url : 'postgres://none');

  it.each([
    ['a wrong password', (url: URL) => Object.assign(url, { password: 'wrong' })],
    ['a database that does not exist', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
    ['a user that does not exist', (url: URL) => Object.assign(url, { username: 'no one-knows' })],
    ['no password', (url: URL) => Object.assign(url, { password: '' })],
    ['TLS where there is none', (url: URL) => Object.assign(url, { search: '?sslmode=verify-full' })],
  ])('refuses %s as a matter of configuration', async (_, change) => {
    const url = change(new URL(address)).toString();
    await expect(connect(url)).rejects.toMatchObject({ code: 'E_DATABASE_ACCESS', recovery: 'fix-config' });
  });
});
