import { helperNamePrefix } from '../../../functions/compose/policy/internal-names.ts'
import { conflict } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type {
  ReplacedContainer,
  UpgradeJournal,
} from '../../../functions/core/records/upgrade-journal.ts'
import { startContainer } from '../containers/actions.ts'
import { removeContainer } from '../containers/removal.ts'
import { inspectContainer, planReadDeadline } from '../inspect/container.ts'
import { unlessMissing } from '../responses/errors.ts'
import { createdContainer } from '../responses/response-shapes.ts'
import { readLogs } from '../streams/logs.ts'
import type { EngineClient } from '../transport/client.ts'
import { type HelperPaths, helperBody } from './helper-body.ts'
import type { CopiedContainer } from './new-container.ts'
import { renameContainer, setRestartPolicy } from './upgrade-engine.ts'

/** A helper container of an upgrade. */
export interface SeenHelper {
  id: string
  isRunning: boolean
  /** It was started at least once. */
  hasRun: boolean
  /** How often the Engine started it again. */
  restarts: number
}

export type UpgradeHelpers = ReturnType<typeof upgradeHelpers>

/** Returns the helper containers of upgrades on an Engine. */
export function upgradeHelpers(client: EngineClient) {
  const find = (id: string) =>
    unlessMissing(inspectContainer(client, id, { deadline: planReadDeadline }))
  const removeIfThere = (id: string, options: { volumes: boolean }) =>
    unlessMissing(removeContainer(client, id, { force: true, ...options }))

  return {
    /**
     * Returns what has to be known to restore the container of the service.
     *
     * @throws 409 if it cannot be replaced
     */
    async replaceable(id: string, paths: HelperPaths): Promise<Omit<ReplacedContainer, 'version'>> {
      const found = await find(id)
      if (!found) throw conflict('the service does not run in a container of this Engine')
      const { Config, HostConfig, Image, Name } = found
      if (HostConfig.AutoRemove) {
        throw conflict(
          'the container of the service was started with `--rm`: it would be gone once stopped, so start it without first',
        )
      }
      helperBody(copied(found), Image, paths)
      const { Name: policy, MaximumRetryCount = 0 } = HostConfig.RestartPolicy ?? {}
      return {
        containerId: id,
        name: Name.replace(/^\//, ''),
        image: Config.Image,
        imageId: Image,
        restartPolicy: { Name: policy || 'no', MaximumRetryCount },
      }
    },

    /** Returns the name of the helper of an upgrade, which no stack can use. */
    nameFor: ({ id }: Pick<UpgradeJournal, 'id'>) =>
      `${helperNamePrefix}${id.replaceAll('-', '').slice(-16)}`,

    /** Creates the helper of an upgrade. Returns its ID. */
    async create(journal: UpgradeJournal, paths: HelperPaths): Promise<string> {
      const service = copied(await inspectContainer(client, journal.from.containerId))
      const { Id } = await client.json<{ Id: string }>({
        method: 'POST',
        path: '/containers/create',
        query: { name: this.nameFor(journal) },
        body: helperBody(service, journal.to.imageId, paths),
        deadline: 60_000,
        shape: createdContainer,
      })
      return Id
    },

    start: (id: string) => startContainer(client, id),

    /** Finds a helper by its ID or name. */
    async find(id: string): Promise<SeenHelper | undefined> {
      const found = await find(id)
      return (
        found && {
          id: found.Id,
          isRunning: found.State.Running,
          hasRun: !found.State.StartedAt.startsWith('0001-'),
          restarts: found.RestartCount,
        }
      )
    },

    /** Returns the name of a container, or undefined if it is gone. */
    nameOf: async (id: string) => (await find(id))?.Name.replace(/^\//, ''),

    /** Returns the last line of the log of a container, or an empty text. */
    async lastLine(id: string): Promise<string> {
      const lines = await readLogs(client, id, { tail: 1 }).catch(ignoreError('read a log'))
      return lines?.[0]?.line.slice(0, 500) ?? ''
    },

    /** Removes a helper, and the volumes that only its image declares. */
    remove: (id: string) => removeIfThere(id, { volumes: true }),

    /**
     * Gives the container of the service its name and restart policy back. Returns whether it had
     * them, or is no longer that of the upgrade.
     */
    async restore(
      { containerId, name, restartPolicy }: ReplacedContainer,
      aside: string,
    ): Promise<boolean> {
      const found = await find(containerId)
      const isAside = found?.Name === `/${aside}`
      if (!found || (!isAside && found.Name !== `/${name}`)) return true
      const isReleased = (found.HostConfig.RestartPolicy?.Name || 'no') === restartPolicy.Name
      if (isAside) await renameContainer(client, containerId, name)
      if (!isReleased) await setRestartPolicy(client, containerId, restartPolicy)
      return !isAside && isReleased
    },

    /**
     * Removes a replaced container unless it runs or someone renamed it. Its volumes are those of
     * the new one. Returns whether it is gone.
     */
    async removeReplaced(id: string, aside: string): Promise<boolean> {
      const found = await find(id)
      if (!found) return true
      if (found.State.Running || found.Name !== `/${aside}`) return false
      await removeIfThere(id, { volumes: false })
      return true
    },
  }
}

const copied = (found: unknown) => found as CopiedContainer
