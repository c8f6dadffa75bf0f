import { z } from 'zod'
import { movedText } from '../compose/plan/moved-images.ts'
import { environmentWarning } from '../core/deploy/environment-warning.ts'
import { planDeployment } from '../core/deploy/prepare.ts'
import { type PreparePorts, plainOptions } from '../core/deploy/request.ts'
import type { Needs } from '../core/ports/ports.ts'
import { reachOf } from '../core/stacks/reach.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { PlanBody, Step } from './deployment-schema.ts'
import { StackPath } from './schema.ts'

/** A longer plan is truncated. */
const stepsMax = 1000

export default endpoint({
  summary: 'Preview a deploy',
  description:
    'Lists every step with its reason, in order, and changes nothing. An empty list means that the stack is up to date. ' +
    'The reason `config changed` names the fields of the service that changed, if what was deployed before is known. Files that ' +
    'were edited on the host come first, with the action `drift`: a deploy does not overwrite them unless `on_drift` is set. ' +
    'A service that keeps a mounted file until it is restarted is named by the action `warning`. ' +
    'A deploy that would leave out the overlay of the last one is preceded by the action `warning`. ' +
    'Images that moved on the host follow: running containers keep their image, and a deploy that would create a container from a moved image is refused.',
  access: 'stacks:read',
  changes: false,
  path: StackPath,
  body: PlanBody.default({}),
  returns: z.array(Step).max(stepsMax),
  errors: {
    404: 'No stack or service has that name',
    409: 'A network or volume that the stack refers to conflicts with it',
    422: 'compose.yaml is invalid, exceeds a limit, or asks for something that the Engine does not support',
  },

  async run({ path, body, caller }, ports: PreparePorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    const environment = body.environment ?? null
    // The plan changes nothing, so permission to read the stack is enough to see it.
    const options = {
      ...plainOptions,
      services: body.services ?? [],
      withoutDependencies: body.dependencies === false,
      ...(body.scale ? { replicas: body.scale } : {}),
    }
    const profiles = body.profiles ?? stack.profiles
    const how = { environment, profiles, options, reach: 'host' as const }
    // Whether other paths of the host exist is for callers that have access to it.
    const looksOutside = reachOf(caller) === 'host'
    const named = { looksOutside, askedProfiles: body.profiles }
    const request = { kind: 'deploy' as const, stack, files: stack.files, ...named, ...how }
    const { plan, drift, moved, created, stale, resets } = await planDeployment(request, ports)
    const omitted = environmentWarning(request).map((reason) => ({
      action: 'warning',
      kind: 'environment',
      name: stack.environment ?? '',
      reason,
    }))
    const edited = drift.map(({ path: file, change }) => ({
      action: 'drift',
      kind: 'file',
      name: file,
      reason: `${change} on the host`,
    }))
    const absent = created.map(({ path: name, warning }) => ({
      action: 'warning',
      kind: 'bind',
      name,
      reason: warning,
    }))
    const mounted = stale.map(({ service: name, text: reason }) => ({
      action: 'warning',
      kind: 'service',
      name,
      reason,
    }))
    const scaled = resets.map(({ service: name, text: reason }) => ({
      action: 'warning',
      kind: 'service',
      name,
      reason,
    }))
    const steps = plan.steps.map(({ action, kind, name, reason }) => ({
      action,
      kind,
      name,
      reason,
    }))
    const images = moved.map((image) => ({
      action: 'drift',
      kind: 'image',
      name: image.reference,
      reason: movedText(image),
    }))
    return capped(
      [...omitted, ...scaled, ...absent, ...mounted, ...edited, ...images, ...steps],
      stepsMax,
    )
  },
})
