import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { scopePorts } from '../../functions/core/access/scope.ts'
import { newAccount } from '../../functions/core/access/user.ts'
import type { Caller } from '../../functions/core/records/account.ts'
import { permissions } from '../../functions/core/records/permissions.ts'

function callerIn(scopeTags: string[]): Caller {
  const account = newAccount({ id: 'a', username: 'anna', role: 'admin', passwordHash: '' }, 0)
  const credential = { kind: 'session', sessionId: 's', tokenId: 't', expiresAt: 1 } as const
  return { account, scopeTags, credential, permissions: new Set<string>(permissions) }
}

/**
 * Returns all ports, and the ports as a caller with these scope tags sees them. The host `lab` has
 * the tag `lab`, the local host has none.
 */
export async function scopedPorts(...scopeTags: string[]) {
  const ports = memoryPorts()
  await ports.hosts.create(agentHost('lab', ['lab']))
  return { ports, seen: scopePorts(ports, callerIn(scopeTags)) }
}
