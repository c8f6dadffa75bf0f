import type { Needs } from '../../ports/ports.ts'
import type { BackupPart } from './backup-parts.ts'

/**
 * Returns a warning if a backup of the service's own state lacks the key that the agents need. It
 * is in the data directory of the processes that agents connect to, which may not be this one.
 */
export async function authorityWarnings(
  parts: readonly BackupPart[],
  { hosts, systemArchive }: Needs<'hosts' | 'systemArchive'>,
): Promise<string[]> {
  if (!parts.some(({ kind }) => kind === 'system')) return []
  if (await systemArchive.hasAuthority()) return []
  const isNeeded = (await hosts.list()).some(({ agent }) => agent?.state === 'enrolled')
  return isNeeded ? [warning] : []
}

const warning =
  'agent-authority.pem is not backed up: the process that made this backup does not have it. Without a copy, every agent must enrol again after a restore'
