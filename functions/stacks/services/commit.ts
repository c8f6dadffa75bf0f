import { isInternalImage } from '../../compose/policy/internal-names.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import { requirePermissions } from '../../core/access/grant.ts'
import { deploysStacks, reachOf } from '../../core/access/reach.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { commitImage } from '../../core/images/commit-image.ts'
import type { TagPorts } from '../../core/images/tag-image.ts'
import type { EntryPorts } from '../../core/owners/enter-container.ts'
import { enterJoined } from '../../core/owners/enter-joined.ts'
import type { Enterer } from '../../core/owners/enterer.ts'
import type { Engine } from '../../core/ports/engine.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import { checkTexts, type LoadPorts } from '../../core/stacks/load-project.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { readTexts } from '../../core/stacks/texts.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { CommitBody, CommittedImage, ServicePath } from './schema.ts'

export default endpoint({
  summary: 'Make an image of a container of a service',
  description:
    'Saves the files of the container, without its volumes, as an image on its host. The image has the variables of the container and whatever its programs wrote, secrets included. ' +
    'Its name belongs to the stack, as that of an image that the stack builds. Naming an image needs the permission stacks:deploy too.',
  access: 'containers:exec',
  atService: true,
  path: ServicePath,
  body: CommitBody,
  returns: CommittedImage,
  status: 201,
  noTimeout: true,
  errors: {
    403: 'The stack needs stacks:privileged, or one of its containers controls its host or has data of others, and you lack the right to it',
    404: 'No stack has that name, or the service has no such container',
    409: 'Another stack builds an image of that name, or an image has it that the stack did not build',
    422: 'The name is a digest or an id',
  },

  async run(
    { path, body, caller, signal },
    ports: TagPorts & LoadPorts & Needs<'engines' | 'hosts' | 'settings'>,
  ) {
    requirePermissions(caller, ['stacks:deploy'], 'body.image')
    if (isInternalImage(body.image)) {
      throw invalid(
        `body.image: ${body.image} is reserved for the helper image of this service: choose another name`,
      )
    }
    const stack = await getStack(path.name, ports)
    const user = {
      stack: stack.id,
      hostId: stack.hostId,
      reach: reachOf(caller),
      mayDeploy: deploysStacks(caller, ports),
    }
    const engine = await ports.engines.on(stack.hostId)
    const all = await engine.projectContainers(stack.id)
    await requireWhole({ ...user, stack }, all, engine, ports)
    const own = all
      .filter(({ service, oneoff }) => service === path.service && !oneoff)
      .sort((left, right) => left.number - right.number)
    const container = own.find(({ number }) => body.number === undefined || number === body.number)
    if (!container) {
      const which = body.number === undefined ? 'no container' : `no container ${body.number}`
      throw notFound(`stack ${stack.id}: service ${path.service} has ${which}`)
    }
    const { author, message, changes = [], pause = true } = body
    const options = { author, message, changes, pause }
    const request = { containerId: container.id, reference: body.image, options }
    return { id: await commitImage(request, user, engine, signal, ports), image: body.image }
  },
})

/**
 * Checks that the caller may deploy the stack and enter all of its containers: any of its services
 * may run an image with a name of the stack.
 *
 * @throws 403 otherwise
 */
async function requireWhole(
  { stack, reach, mayDeploy }: Enterer & { stack: StackRecord },
  containers: readonly ObservedContainer[],
  engine: Engine,
  ports: EntryPorts & LoadPorts,
): Promise<void> {
  if (reach === 'host') return
  const ids = containers.map(({ id }) => id)
  await enterJoined(ids, { stack, reach, mayDeploy }, engine, ports)
  await checkTexts(stack, await readTexts(stack.files, ports), reach, ports)
}
