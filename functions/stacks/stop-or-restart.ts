import { startDeployment } from '../core/deploy/deploy.ts'
import type { DeployPorts } from '../core/deploy/request.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuditTrail } from '../core/records/audit-row.ts'
import type { DeployOptions } from '../core/records/deployment.ts'
import { noService } from '../core/stacks/no-service.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { ended, operationFailure } from '../kit/wait.ts'
import { acceptedDeployment, currentView } from './view.ts'

/** A request to stop or restart a stack. */
interface StackRequest {
  kind: 'stop' | 'restart'
  name: string
  options: DeployOptions
  caller: Caller
  /** What the audit row of the end continues. Without it the response waits for the end. */
  trail: AuditTrail | undefined
}

/**
 * Stops or restarts a stack and returns it as it is afterwards or, without waiting, the deployment
 * as it began.
 *
 * @throws 404 if the stack lacks one of the services, 500 naming the step that failed
 */
export async function stopOrRestart(
  { kind, name, options, caller, trail }: StackRequest,
  ports: DeployPorts & ObservePorts,
) {
  const stack = await getStack(name, ports)
  const unknown = options.services.find((service) => !Object.hasOwn(stack.services, service))
  if (unknown !== undefined) throw noService(name, unknown, Object.keys(stack.services))
  const { environment, profiles } = stack
  const files = stack.written ?? stack.files
  // The project supplies only the order. Permission to stop a stack is therefore enough, whatever
  // the project contains.
  const how = { options, reach: 'host' as const, trail }
  const request = { kind, stack, files, environment, profiles, ...how }
  const started = await startDeployment(request, caller.account, ports)
  if (trail) {
    await started.startRecorded()
    return acceptedDeployment(started.deployment, await hostNames(ports))
  }
  const { deployment, stack: recorded, reason } = await started.finished
  const { id, status, error } = deployment
  if (status !== 'succeeded')
    throw operationFailure(id, 500, `stack ${name}: ${error}`, reason && { reason })
  const after = recorded ?? (await getStack(name, ports))
  return ended(await currentView(after, ports), { id })
}

/** Returns the option for the time that a request gives containers to stop. */
export const timeoutOf = ({
  timeout_seconds: timeout,
}: {
  timeout_seconds?: number | undefined
}) => (timeout === undefined ? {} : { timeoutSeconds: timeout })
