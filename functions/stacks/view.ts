import type { z } from 'zod'
import { type HostNames, hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Deployment as DeploymentRecord, StepReport } from '../core/records/deployment.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { causeOf } from '../core/records/stack-update.ts'
import { deployedRevisionOf } from '../core/stacks/deployed-revision.ts'
import { setNames } from '../core/stacks/shared-variables.ts'
import { type SetChanges, setChanges } from '../core/stacks/taken-sets.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import type { StackState } from '../core/states/stack-state.ts'
import { stackStateOf } from '../core/states/stack-states.ts'
import { accepted, ended } from '../kit/wait.ts'
import type { Deployment } from './deployment-schema.ts'
import type { Stack } from './schema.ts'
import { deployedSourceView } from './source-view.ts'

const time = (milliseconds: number) => new Date(milliseconds).toISOString()
const timeOrNull = (milliseconds: number | null) =>
  milliseconds === null ? null : time(milliseconds)

/**
 * Returns a stack in the API's form.
 *
 * @param hasChanges says whether its sets of variables changed; never for one that was just saved
 */
export function stackView(
  stack: StackRecord,
  state: StackState,
  nameOf: HostNames,
  hasChanges: SetChanges = () => false,
): z.input<typeof Stack> {
  return {
    name: stack.id,
    host: stack.hostId,
    host_name: nameOf(stack.hostId),
    directory: stack.directory,
    status: state.status,
    operation: state.operation,
    last_deployment: lastView(stack.last),
    environment: stack.environment,
    services: state.services,
    revision: stack.contentRevision,
    deployed_revision: deployedRevisionOf(stack),
    created_at: time(stack.createdAt),
    updated_at: time(stack.updatedAt),
    deployed_at: timeOrNull(stack.deployedAt),
    unsent_data: stack.unsentData ?? [],
    shared_variables: setNames(stack.files.shared),
    variables_changed: hasChanges(stack),
  }
}

/** Returns a stack in the API's form, as it is now. */
export async function currentView(
  stack: StackRecord,
  ports: ObservePorts & Needs<'variableSets'>,
): Promise<z.input<typeof Stack>> {
  const [state, nameOf, hasChanges] = await Promise.all([
    stackStateOf(stack, ports),
    hostNames(ports),
    setChanges([stack], ports),
  ])
  return stackView(stack, state, nameOf, hasChanges)
}

function lastView(last: StackRecord['last']): z.input<typeof Stack>['last_deployment'] {
  if (!last) return null
  const { deploymentId: id, kind = 'deploy', status, error = null, finishedAt = null } = last
  return { id, kind, status, error, finished_at: timeOrNull(finishedAt) }
}

/** Returns the response of a deployment that a request waited for. */
export const endedDeployment = (deployment: DeploymentRecord, nameOf: HostNames) =>
  ended(deploymentView(deployment, nameOf), {
    id: deployment.id,
    hasFailed: deployment.status !== 'succeeded',
  })

/** Returns the 202 of a deployment that a request does not wait for. */
export const acceptedDeployment = (deployment: DeploymentRecord, nameOf: HostNames) =>
  accepted(deploymentView(deployment, nameOf), deployment.id, ...deploymentPath(deployment))

const deploymentPath = ({ stack, id }: DeploymentRecord) => ['stacks', stack, 'deployments', id]

/** Returns a step in the API's form. One whose process died may have kept its progress. */
const stepView = ({ progress, ...step }: StepReport) => ({
  ...step,
  error: step.error ?? null,
  ...(step.status === 'running' && progress && { progress }),
})

function causeView({ byHook, source, update }: DeploymentRecord['options']) {
  if (byHook) return 'hook'
  return source ? 'source' : (causeOf(update) ?? null)
}

function sourceView({ source, taken }: DeploymentRecord['options']) {
  const deployed = source ?? taken
  return deployed ? deployedSourceView(deployed) : null
}

/** Returns a deployment in the API's form. */
export function deploymentView(
  deployment: DeploymentRecord,
  nameOf: HostNames,
): z.input<typeof Deployment> {
  return {
    id: deployment.id,
    stack: deployment.stack,
    kind: deployment.kind,
    cause: causeView(deployment.options),
    source: sourceView(deployment.options),
    rolled_back_to: deployment.options.rolledBackTo ?? null,
    host: deployment.hostId,
    host_name: nameOf(deployment.hostId),
    environment: deployment.environment,
    services: deployment.options.services,
    profiles: deployment.profiles ?? [],
    revision: deployment.contentRevision,
    status: deployment.status,
    error: deployment.error,
    reason: deployment.reason ?? null,
    started_at: time(deployment.startedAt),
    finished_at: timeOrNull(deployment.finishedAt),
    by: deployment.by,
    steps: deployment.steps.map(stepView),
    images: deployment.images,
    warnings: deployment.warnings ?? [],
  }
}
