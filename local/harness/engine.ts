import { transportFrom } from '../../adapters/docker/connect.ts'
import { type DockerEngine, dockerEngine } from '../../adapters/docker/engine.ts'

/** The Engine that the tests of this machine use, apart from any service's. Close it when done. */
export function localEngine(): DockerEngine {
  const transport = transportFrom(process.env)
  return dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp' })
}
