import { systemArchive } from '../../../functions/core/backups/system/system-archive.ts'
import type { SystemSource } from '../../../functions/core/backups/system/system-parts.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { SystemArchive } from '../../../functions/core/ports/system-archive.ts'

/** Returns the state of a service with one key and one account. */
export function memorySystemArchive(clock: Clock): SystemArchive {
  const source: SystemSource = {
    files: async () => [{ path: 'secret-key', mode: 0o600, content: Buffer.alloc(44, 'A') }],
    async *items() {
      const Item = { pk: { S: 'accounts' }, sk: { S: 'ada' }, data: { S: '{}' } }
      yield { table: 'items', count: 1, lines: Buffer.from(`${JSON.stringify({ Item })}\n`) }
    },
  }
  return {
    read: (signal) => systemArchive(source, clock, signal),
    hasAuthority: async () => true,
  }
}
