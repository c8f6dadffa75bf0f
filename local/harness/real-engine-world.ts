import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dockerEngine } from '../../adapters/docker/engine.ts'
import { transportFrom } from '../../adapters/docker/transport/connect.ts'
import { localHost, memoryHosts } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'

/**
 * Returns memory ports around the Engine of this machine. Stacks are in a directory of the test.
 */
export function realEngineWorld() {
  const stacksDirectory = join(mkdtempSync(join(tmpdir(), 'container-stacks-world-')), 'stacks')
  mkdirSync(stacksDirectory)
  const ports = memoryPorts({ hosts: memoryHosts({ ...localHost, stacksDirectory }) })
  const transport = transportFrom(process.env)
  const engine = dockerEngine({ transport, host: localHost.name, stacksDirectory })
  ports.engines.byHost.set('local', engine)
  return {
    ports,
    engine,
    stacksDirectory,
    async close() {
      await engine.close()
      rmSync(join(stacksDirectory, '..'), { recursive: true, force: true })
    },
  }
}
