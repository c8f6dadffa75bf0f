import { startDeployment } from '../core/deploy/deploy.ts'
import type { DeployPorts } from '../core/deploy/request.ts'
import { internalError } from '../core/errors.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Caller } from '../core/records/account.ts'
import type { DeployOptions } from '../core/records/deployment.ts'
import { noService } from '../core/stacks/no-service.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { stackStateOf } from '../core/states/stack-states.ts'
import { stackView } from './view.ts'

/**
 * Stops or restarts a stack and returns it as it is afterwards.
 *
 * @throws 404 if the stack lacks one of the services, 500 naming the step that failed
 */
export async function stopOrRestart(
  kind: 'stop' | 'restart',
  name: string,
  options: DeployOptions,
  caller: Caller,
  ports: DeployPorts & ObservePorts,
) {
  const stack = await getStack(name, ports)
  const unknown = options.services.find((service) => !Object.hasOwn(stack.services, service))
  if (unknown !== undefined) throw noService(name, unknown, Object.keys(stack.services))
  const { environment, profiles } = stack
  const files = stack.written ?? stack.files
  // The project supplies only the order. Permission to stop a stack is therefore enough, whatever
  // the project contains.
  const request = { kind, stack, files, environment, profiles, options, reach: 'host' as const }
  const { finished } = await startDeployment(request, caller.account, ports)
  const { deployment, stack: recorded, reason } = await finished
  if (deployment.status !== 'succeeded') {
    throw internalError(`stack ${name}: ${deployment.error}`, reason && { reason })
  }
  const after = recorded ?? (await getStack(name, ports))
  return stackView(after, await stackStateOf(after, ports), await hostNames(ports))
}
