import type { Clock } from '../../../functions/core/ports/clock.ts'
import type {
  ServiceUpgrade,
  ServiceUpgrades,
} from '../../../functions/core/ports/service-upgrades.ts'
import type { UpgradeJournal } from '../../../functions/core/records/upgrade-journal.ts'
import { version } from '../../../functions/core/version.ts'

/** Upgrades that end when the test says so. */
export interface MemoryServiceUpgrades extends ServiceUpgrades {
  readonly started: ServiceUpgrade[]
  /** Why the next one does not start. */
  refusal: Error | undefined
  /** Changes the journal, as the helper container does. */
  change(change: Partial<UpgradeJournal>): void
}

/** Returns a service in a container that can be replaced. */
export function memoryServiceUpgrades(
  clock: Pick<Clock, 'now' | 'monotonic'>,
): MemoryServiceUpgrades {
  let journal: UpgradeJournal | undefined
  let seen: { id: string; at: number } | undefined
  const upgrades: MemoryServiceUpgrades = {
    started: [],
    refusal: undefined,
    async start(upgrade) {
      if (upgrades.refusal) throw upgrades.refusal
      upgrades.started.push(upgrade)
      const { id, containerId, to } = upgrade
      journal = {
        id,
        startedAt: clock.now(),
        from: {
          containerId,
          name: 'service',
          image: 'container-stacks:latest',
          imageId: 'sha256:old',
          version,
          restartPolicy: { Name: 'unless-stopped', MaximumRetryCount: 0 },
        },
        to,
        helper: 'helper',
        direction: 'forward',
        error: null,
        log: [],
        outcome: 'open',
        endedAt: null,
      }
    },
    last: async () => structuredClone(journal),
    async openSince() {
      if (journal?.outcome !== 'open') return undefined
      if (seen?.id !== journal.id) seen = { id: journal.id, at: clock.monotonic() }
      return seen.at
    },
    async tidy() {},
    change(change) {
      if (!journal) throw new Error('no upgrade was started')
      journal = { ...journal, ...change }
    },
  }
  return upgrades
}
