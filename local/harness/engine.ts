import { type DockerEngine, dockerEngine } from '../../adapters/docker/engine.ts'
import { transportFrom } from '../../adapters/docker/transport/connect.ts'

/** Connects to this machine's Engine without any service. Close it when done. */
export function localEngine(): DockerEngine {
  const transport = transportFrom(process.env)
  return dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp' })
}
