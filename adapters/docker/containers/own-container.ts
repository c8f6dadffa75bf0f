import type { Step } from '../../../functions/compose/step.ts'
import { ownContainerRefusal } from '../../../functions/core/hosts/own-container.ts'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { OwnContainer } from '../../../functions/core/records/container.ts'
import { stackOf } from '../names/labels.ts'
import { unlessMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { inspectContainer, planReadDeadline } from './containers.ts'

/**
 * Returns the container with this ID as the service's own, or null if this Engine has none. The ID
 * comes from the kernel. A label, a name or a host name would prove nothing, because others can set
 * them.
 *
 * @param id undefined if the service runs in no container
 */
export async function ownContainer(
  client: EngineClient,
  id: string | undefined,
): Promise<OwnContainer | null> {
  const found = id === undefined ? undefined : await inspect(client, id)
  return found ? { id: found.Id, stack: stackOf(found.Config.Labels) } : null
}

/**
 * Returns the Engine with a check before each call that would stop, replace or change the container
 * with this ID, or read its files: those have the keys of the service.
 */
export function protectOwnContainer<E extends Engine>(
  engine: E,
  client: EngineClient,
  own?: string,
): E {
  if (own === undefined) return engine
  const refuseIfOwn = async (name: string) => {
    // The Engine resolves a name, an ID or the beginning of an ID to the full ID.
    const found = await inspect(client, name)
    if (found?.Id === own) throw ownContainerRefusal(`container ${found.Name.slice(1)}`)
  }
  return {
    ...engine,
    async execute(step, signal) {
      const name = touchedBy(step)
      if (name !== undefined) await refuseIfOwn(name)
      return engine.execute(step, signal)
    },
    async act(id, action) {
      if (action.kind !== 'start') await refuseIfOwn(id)
      return engine.act(id, action)
    },
    async removeContainer(id, options) {
      await refuseIfOwn(id)
      return engine.removeContainer(id, options)
    },
    async commitContainer(id, options, signal) {
      await refuseIfOwn(id)
      return engine.commitContainer(id, options, signal)
    },
    async exec(id, options, signal) {
      await refuseIfOwn(id)
      return engine.exec(id, options, signal)
    },
    async attach(id, options, signal) {
      await refuseIfOwn(id)
      return engine.attach(id, options, signal)
    },
    async statInContainer(id, path) {
      await refuseIfOwn(id)
      return engine.statInContainer(id, path)
    },
    async *readFromContainer(id, path, signal) {
      await refuseIfOwn(id)
      yield* engine.readFromContainer(id, path, signal)
    },
    async writeIntoContainer(id, directory, archive) {
      await refuseIfOwn(id)
      return engine.writeIntoContainer(id, directory, archive)
    },
  }
}

const inspect = (client: EngineClient, id: string) =>
  unlessMissing(inspectContainer(client, id, { deadline: planReadDeadline }))

/** Returns the existing container that a step changes, or undefined. */
function touchedBy(step: Step): string | undefined {
  if (step.kind === 'network') return step.action === 'disconnect' ? step.container : undefined
  if (step.kind !== 'container') return undefined
  const isHarmless = ['create', 'recreate', 'start', 'wait'].includes(step.action)
  return isHarmless ? undefined : step.name
}
