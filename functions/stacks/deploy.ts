import { requirePermissions } from '../core/access/grant.ts'
import { deploysStacks, reachOf } from '../core/access/reach.ts'
import { startDeployment } from '../core/deploy/deploy.ts'
import type { DeployPorts } from '../core/deploy/request.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { changeRightsOf } from '../core/stacks/check-change.ts'
import { importDrift } from '../core/stacks/import-drift.ts'
import { placeStack } from '../core/stacks/place.ts'
import { refuseStale } from '../core/stacks/refuse-stale.ts'
import { withStackLock } from '../core/stacks/stack-lease.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { deployOptions } from './deploy-options.ts'
import { DeployBody, Deployment } from './deployment-schema.ts'
import { stackEdition } from './edition.ts'
import { StackPath } from './schema.ts'
import { acceptedDeployment, endedDeployment } from './view.ts'

export default endpoint({
  summary: 'Deploy a stack',
  description:
    'Brings the stack up, changing only what differs. The response is sent when the deployment has ended, even if it failed: see `status` and `error`.',
  access: 'stacks:deploy',
  atService: true,
  takesIfMatch: true,
  path: StackPath,
  query: WaitQuery,
  body: DeployBody.default({}),
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    404: 'No stack, service or host has that name',
    409: 'A deployment of the stack is running, its files do not have the revision that `revision` names, the stack is on another host, its files were edited on the host, they refer to what an account that saved them may not use, or another container has a name or port that it needs',
    422: 'compose.yaml does not parse, or uses something that the Engine does not support',
  },

  async run(
    { path, query, body, caller, begin, trail, ifMatch },
    ports: DeployPorts & Needs<'hosts'>,
  ) {
    if (body.take_over) {
      requirePermissions(caller, ['containers:delete', 'stacks:privileged'], 'body.take_over')
    }
    const getCurrent = async () => {
      const current = await getStack(path.name, ports)
      refuseStale(current, body.revision)
      ifMatch.check(stackEdition(current))
      return current
    }
    const found = await getCurrent()
    const nameOf = await hostNames(ports)
    const isElsewhere = body.host !== undefined && body.host !== found.hostId
    const isImported = body.on_drift === 'import'
    const placed = async () => {
      const stack = await placeStack(await getCurrent(), body.host, caller, ports)
      return isImported ? importDrift(stack, changeRightsOf(caller), ports) : stack
    }
    // Placing the stack or importing drift writes before the deployment starts.
    if (isElsewhere || isImported) await begin()
    const stack = isElsewhere || isImported ? await withStackLock(path.name, ports, placed) : found
    const { deployment, finished, startRecorded } = await startDeployment(
      {
        kind: 'deploy',
        stack,
        files: stack.files,
        currentSets: true,
        // An import made a newer revision than the request names.
        revision: body.revision || ifMatch.namesVersions ? stack.contentRevision : undefined,
        environment: body.environment ?? null,
        profiles: body.profiles ?? stack.profiles,
        askedProfiles: body.profiles,
        reach: reachOf(caller),
        mayDeploy: deploysStacks(caller, ports),
        seesContainers: caller.permissions.has('containers:read'),
        trail: query.wait ? undefined : trail(),
        options: deployOptions(body),
      },
      caller.account,
      ports,
    )
    if (query.wait) return endedDeployment((await finished).deployment, nameOf)
    await startRecorded()
    return acceptedDeployment(deployment, nameOf)
  },
})
