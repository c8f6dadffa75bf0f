import { createHash } from 'node:crypto'
import { makeApiToken } from '../../functions/core/access/api-token.ts'
import type { Needs } from '../../functions/core/ports/ports.ts'
import { accountOf, type SignInPorts, type TestCaller } from './sign-in.ts'

/**
 * Returns an API token of an account that may do only what is given, as one that was made before
 * the account gained rights.
 *
 * @param role a built-in role, or a name for `permissions`
 */
export async function limitedToken(
  ports: SignInPorts & Needs<'apiTokens'>,
  as: Exclude<TestCaller, { token: string }>,
  role: string,
  permissions: string[] | null = null,
): Promise<{ token: string }> {
  const { id: accountId } = await accountOf(ports, as)
  const token = makeApiToken(ports.random.bytes(64))
  await ports.apiTokens.create({
    id: ports.random.id(),
    accountId,
    name: 'ci',
    prefix: 'cst_',
    scopeTags: [],
    hash: createHash('sha256').update(token).digest('hex'),
    createdAt: ports.clock.now(),
    expiresAt: null,
    lastUsedAt: null,
    rights: { role, permissions, scopeTags: [] },
  })
  return { token }
}
