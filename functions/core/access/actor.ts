import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import { permissionsOf } from './role.ts'

/** An account outside of its own requests: one whose files or jobs take effect later. */
export type Actor = Omit<Caller, 'credential'>

/**
 * Returns an account with the rights that it has now, or undefined if it is disabled or deleted.
 * Each call reads the stores, so ask once for each thing that acts. Rights on a host also need the
 * host in scope: `inScope(actor.scopeTags, host)`, or `scopePorts(ports, actor)`.
 */
export async function currentActor(
  accountId: string,
  ports: Needs<'accounts' | 'roles'>,
): Promise<Actor | undefined> {
  const account = await ports.accounts.find(accountId)
  if (!account || account.disabled) return undefined
  const { role, scopeTags } = account
  return { account, permissions: await permissionsOf(role, ports), scopeTags }
}
