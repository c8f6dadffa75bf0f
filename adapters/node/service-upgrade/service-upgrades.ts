import { conflict } from '../../../functions/core/errors.ts'
import type { ServiceUpgrades } from '../../../functions/core/ports/service-upgrades.ts'
import { journalFile } from './journal-file.ts'

/** Returns the upgrades of the service with this data directory. */
export function openServiceUpgrades(dataDirectory: string): ServiceUpgrades {
  const file = journalFile(dataDirectory)
  return {
    async start() {
      throw conflict('the service cannot replace its container here: see docs/upgrading.md')
    },
    last: () => file.read(),
    async tidy() {},
  }
}
