import type { NetConnectOpts } from 'node:net'
import { engineAddress } from '../../functions/core/hosts/engine-address.ts'

/**
 * Returns how to connect to this machine's Docker Engine.
 *
 * @throws `Error` that names the address if the agent cannot use it: `ssh://`, TLS
 */
export function dockerSocket(environment: NodeJS.ProcessEnv): NetConnectOpts {
  const address = engineAddress(environment)
  if ('socketPath' in address) return { path: address.socketPath }
  const { host, port, secure } = address
  if (!secure) return { host, port }
  throw new Error(
    `DOCKER_HOST: the agent does not use TLS, which ${environment.DOCKER_HOST} needs here: run the ` +
      'agent on the machine of the Engine, with unix:///path, or unset DOCKER_TLS_VERIFY',
  )
}
