import type { Reach } from '../../compose/project.ts'
import { startDeployment } from '../../core/deploy/deploy.ts'
import { type DeployPorts, plainOptions } from '../../core/deploy/request.ts'
import { hostNames } from '../../core/hosts/host-names.ts'
import type { Stored } from '../../core/ports/collection.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Caller } from '../../core/records/account.ts'
import type { AuditTrail } from '../../core/records/audit-row.ts'
import { type DeploymentKind, kindRules } from '../../core/records/deployment-kinds.ts'
import { type StackRecord, wasEverDeployed } from '../../core/records/stack.ts'
import { deployedFiles } from '../../core/stacks/deployed-files.ts'
import { noService } from '../../core/stacks/no-service.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { acceptedDeployment, endedDeployment } from '../view.ts'

/** A request for an operation on one service. */
export interface ServiceRequest {
  kind: DeploymentKind
  path: { name: string; service: string }
  wait: boolean
  timeoutSeconds?: number | undefined
  replicas?: number
  noCache?: boolean
  /**
   * What the project may access. Without it anything: the operation creates no container, and takes
   * only the order from the project.
   */
  reach?: Reach
  mayDeploy?: (stack: string) => Promise<boolean>
  caller: Caller
  trail: () => AuditTrail | undefined
}

/**
 * Starts, stops, restarts, pauses, unpauses or scales a service. Returns the deployment as it ended
 * or, without waiting, as it began.
 *
 * @throws 404 if the stack has no such service, and what `startDeployment` throws
 */
export async function changeService(request: ServiceRequest, ports: DeployPorts & Needs<'hosts'>) {
  const { kind, path, wait, timeoutSeconds, replicas, noCache, caller, trail } = request
  const stack = await getStack(path.name, ports)
  const nameOf = await hostNames(ports)
  // Operations that load the project look there, where services without a profile are too.
  if (request.reach === undefined) await requireService(stack, path.service, ports)
  const timeout = timeoutSeconds === undefined ? {} : { timeoutSeconds }
  const scale = replicas === undefined ? {} : { replicas: { [path.service]: replicas } }
  const fetches =
    kindRules[kind].from === 'images'
      ? { withoutDependencies: true, ...(noCache && { noCache }) }
      : {}
  const { deployment, finished, startRecorded } = await startDeployment(
    {
      kind,
      stack,
      environment: stack.environment,
      profiles: stack.profiles,
      files: await filesFor(kind, stack, path.service, ports),
      ...(kindRules[kind].files === 'newest' && { currentSets: true as const }),
      reach: request.reach ?? 'host',
      ...(request.mayDeploy && { mayDeploy: request.mayDeploy }),
      seesContainers: caller.permissions.has('containers:read'),
      options: { ...plainOptions, services: [path.service], ...timeout, ...scale, ...fetches },
      trail: wait ? undefined : trail(),
    },
    caller.account,
    ports,
  )
  if (wait) return endedDeployment((await finished).deployment, nameOf)
  await startRecorded()
  return acceptedDeployment(deployment, nameOf)
}

/**
 * Returns the files that an operation reads. Containers came from those of the last deploy, and
 * those of a newer revision wait for the next one. Images are fetched for that next one.
 */
async function filesFor(
  kind: DeploymentKind,
  stack: StackRecord,
  service: string,
  ports: Needs<'texts' | 'deployments'>,
) {
  const { files } = kindRules[kind]
  if (files === 'newest') return stack.files
  if (files === 'written') return stack.written ?? stack.files
  return deployedFiles(stack, ports, service)
}

/** @throws 404 if neither the files nor the containers of a stack have the service */
async function requireService(
  stack: Stored<StackRecord>,
  name: string,
  { engines }: Needs<'engines'>,
): Promise<void> {
  if (Object.hasOwn(stack.services, name)) return
  if (wasEverDeployed(stack)) {
    const engine = await engines.on(stack.hostId)
    const containers = await engine.projectContainers(stack.id)
    if (containers.some(({ service, oneoff }) => service === name && !oneoff)) return
  }
  throw noService(stack.id, name, Object.keys(stack.services))
}
