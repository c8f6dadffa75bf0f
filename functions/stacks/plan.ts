import { z } from 'zod'
import { movedText } from '../compose/plan/fetch/moved-images.ts'
import { requirePermissions } from '../core/access/grant.ts'
import { deploysStacks, reachOf } from '../core/access/reach.ts'
import { planDeployment } from '../core/deploy/prepare.ts'
import { refuseHeld } from '../core/deploy/refuse-held.ts'
import type { PreparePorts } from '../core/deploy/request.ts'
import { environmentWarning } from '../core/deploy/warnings.ts'
import type { Needs } from '../core/ports/ports.ts'
import { placedStack } from '../core/stacks/place.ts'
import { refuseStale } from '../core/stacks/refuse-stale.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped, withHeaders } from '../kit/reply.ts'
import { deployOptions } from './deploy-options.ts'
import { PlanBody, Step } from './deployment-schema.ts'
import { StackPath } from './schema.ts'

/** A longer plan is truncated. */
const stepsMax = 1000

export default endpoint({
  summary: 'Preview a deploy',
  description:
    'Lists every step with its reason, in order, and changes nothing. It takes the body of a deploy. An empty list means that the stack is up to date. ' +
    '`X-Revision` is the revision that was planned: a deploy with that `revision` deploys no other. ' +
    'The reason `config changed` names the fields of the service that changed, if what was deployed before is known. ' +
    'Warnings come first, with the action `warning`. Those of the kind `reference` name what an account that saved the files may not use: ' +
    'a deploy accepts them by name, with `accept_references`; those that the body accepts are left out. The others: a deploy would leave out the overlay of the last one, reset a scaled ' +
    'service, leave containers that are no longer in the files or whose profiles are not active, create a missing directory, leave an image that was built from other files, leave a service with the old content of a mounted file, or give a container ' +
    'a name in a network of others that another container has there. ' +
    'Then come files that were edited on the host and images that moved there, with the action `drift`, then the steps. ' +
    'It is refused, as the deploy would be, if another container has a name or port that the stack needs. ' +
    'A deploy does not overwrite edited files unless `on_drift` is set. With `import` the plan is one of the files without those edits, ' +
    'which a warning of the kind `drift` says. Running containers keep an image that moved, and a ' +
    'deploy that would create a container from it is refused.',
  access: 'stacks:read',
  atService: true,
  changes: false,
  path: StackPath,
  body: PlanBody.default({}),
  returns: z.array(Step).max(stepsMax),
  responseHeaders: { 'X-Revision': 'The revision of the files that was planned' },
  errors: {
    404: 'No stack, service or host has that name',
    409: 'The files do not have the revision that `revision` names, the stack is on another host, a network or volume that it refers to conflicts with it, or another container has a name or port that it needs',
    422: 'compose.yaml is invalid, exceeds a limit, or asks for something that the Engine does not support',
  },

  async run({ path, body, caller }, ports: PreparePorts & Needs<'hosts'>) {
    // Its steps name a container that no stack made, and its image.
    if (body.take_over) requirePermissions(caller, ['containers:read'], 'body.take_over')
    const found = await getStack(path.name, ports)
    refuseStale(found, body.revision)
    const stack = await placedStack(found, body.host, caller, ports)
    const environment = body.environment ?? null
    // The plan changes nothing, so permission to read the stack is enough to see it.
    const options = deployOptions(body)
    const profiles = body.profiles ?? stack.profiles
    const how = { environment, profiles, options, reach: 'host' as const }
    // Whether other paths of the host exist is for callers that have access to it.
    const looksOutside = reachOf(caller) === 'host'
    const mayDeploy = deploysStacks(caller, ports)
    const seesContainers = caller.permissions.has('containers:read')
    const named = { looksOutside, askedProfiles: body.profiles, mayDeploy, seesContainers }
    const newest = { stack, files: stack.files, currentSets: true as const }
    const request = { kind: 'deploy' as const, ...newest, ...named, ...how }
    const prepared = await planDeployment(request, ports)
    await refuseHeld(prepared, ports)
    const { plan, prefetch, drift, moved, created, stale, shared, resets, beyondSavers } = prepared
    // Images that moved have rows of their own.
    const ofMoved = moved.map((image) => `image ${movedText(image)}`)
    const ofPlan = new Set(
      [...prefetch.warnings, ...plan.warnings].filter(
        (text) => !ofMoved.some((image) => text.startsWith(image)),
      ),
    )
    const accepted = new Set(options.acceptReferences)
    const open = beyondSavers.filter(({ name }) => !accepted.has(name))
    const edited = body.on_drift === 'import' && drift.length > 0
    const rows = [
      ...open.map(({ name, text }) => row('warning', 'reference', name, text)),
      ...environmentWarning(request).map((reason) =>
        row('warning', 'environment', stack.environment ?? '', reason),
      ),
      ...resets.map(({ service, text }) => row('warning', 'service', service, text)),
      ...created.map(({ path: name, warning }) => row('warning', 'bind', name, warning)),
      ...stale.map(({ service, text }) => row('warning', 'service', service, text)),
      ...shared.map(({ service, text }) => row('warning', 'service', service ?? '', text)),
      ...[...ofPlan].map((text) => row('warning', 'stack', '', text)),
      ...(edited ? [row('warning', 'drift', '', importWarning)] : []),
      ...drift.map(({ path: name, change }) => row('drift', 'file', name, `${change} on the host`)),
      ...moved.map((image) => row('drift', 'image', image.reference, movedText(image))),
      ...plan.steps.map(({ action, kind, name, reason }) => row(action, kind, name, reason)),
    ]
    return withHeaders(capped(rows, stepsMax), { 'X-Revision': `${stack.contentRevision}` })
  },
})

const importWarning =
  'the deploy first takes the edited files into the stack as a new revision: the steps below are those without these edits'

const row = (action: string, kind: string, name: string, reason: string) => ({
  action,
  kind,
  name,
  reason,
})
