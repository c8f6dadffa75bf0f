import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemClock } from '../../../adapters/node/process/clock.ts'
import { openEngines } from '../../../adapters/sidecar/agents/engines.ts'
import { localHost, memoryHosts } from '../../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { clientWorld } from '../../harness/client.ts'
import type { OurSide } from './our-up.ts'

/**
 * Moves a project's directory away, and returns what brings it up where it was, with the client and
 * the Engine of this machine alone: `stacks create` in the moved directory, then `stacks deploy`.
 */
export async function folderSide(
  name: string,
  directory: string,
): Promise<Pick<OurSide, 'deploy' | 'close'>> {
  const source = `${directory}.sent`
  await rename(directory, source)
  const local = {
    id: 'local',
    name: 'local',
    kind: 'local' as const,
    tags: [],
    agent: null,
    stacksDirectory: dirname(directory),
  }
  const memory = memoryPorts({
    clock: systemClock,
    hosts: memoryHosts({ ...localHost, ...local }),
  })
  const engines = openEngines(local, process.env)
  const world = await clientWorld({ ports: Object.assign(memory, { engines }) as never })
  await world.login()
  return {
    async deploy() {
      for (const words of [`stacks create ${name}`, `stacks deploy ${name}`]) {
        const ended = await world.cli(words, { cwd: source })
        if (ended.code !== 0) return { status: ended.code, error: ended.err }
      }
      return undefined
    },
    async close() {
      await world[Symbol.asyncDispose]()
      await engines.close()
      await rm(source, { recursive: true, force: true })
    },
  }
}
