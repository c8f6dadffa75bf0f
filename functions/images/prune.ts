import { refusedByPolicy } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { pruneImages } from '../core/images/prune-images.ts'
import { isAny, isNameless, planPrune, removeUnused } from '../core/images/remove-unused.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { type OperationPorts, startOperation } from '../core/operations/start-operation.ts'
import type { Needs } from '../core/ports/ports.ts'
import { acceptedOperation } from '../kit/accepted-operation.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { prunedView } from './pruned-view.ts'
import { PrunedImages, PruneQuery } from './schema.ts'

export default endpoint({
  summary: 'Remove unused images',
  description:
    'Like `docker image prune`: removes images that no container uses and that lost their names, such as to a newer build or pull. ' +
    'With `all`, like `docker image prune --all`: also images with names. With `dry_run` it removes nothing, and is always waited for. ' +
    'The images of the last three deployments of each stack stay, so that it can be rolled back; `kept` lists them. Rejected while a deployment on the host builds an image.',
  access: 'images:delete',
  atService: true,
  query: PruneQuery.extend(WaitQuery.shape),
  returns: PrunedImages,
  accepts: Operation,
  otherResponses: { 202: 'With wait=false: the prune has started' },
  responseHeaders: operationHeaders(),
  noTimeout: true,
  errors: {
    403: 'You lack the permission, the host is out of your scope, or `all` needs stacks:privileged',
    404: 'No host has that id or name',
    409: 'Another prune or a build is running on the host',
  },

  async run(
    { query, caller, note, signal, trail },
    ports: OperationPorts & Needs<'deployments' | 'engines' | 'hosts' | 'stacks'>,
  ) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const { host_id: hostId, host_name: hostName } = hostFields
    const readsStacks = caller.permissions.has('stacks:read')
    if (query.all && !caller.permissions.has('stacks:privileged')) {
      throw refusedByPolicy('all: removing images with names requires stacks:privileged')
    }
    const host = { hostId, engine, isWanted: query.all ? isAny : isNameless }
    if (query.dry_run) {
      note({ unchanged: true })
      return prunedView({ ...(await planPrune(host, ports)), ...nothing }, readsStacks)
    }
    const prune = async (until: AbortSignal) =>
      prunedView(await removeUnused(host, ports, until), readsStacks)
    if (query.wait) return pruneImages(hostFields, signal, ports, prune)
    const request = {
      kind: 'image_prune',
      subject: { kind: 'host', id: hostId, name: hostName },
      hostId,
      hostName,
      readers: {
        // The result names the stacks that need the images that stay.
        permissions: ['images:delete', ...(readsStacks ? (['stacks:read'] as const) : [])],
        everyHost: false,
      },
      unaudited: trail(),
    } as const
    const started = startOperation(request, caller, ports, (execute, ending) =>
      pruneImages(hostFields, ending, ports, (held) => execute(prune, held)),
    )
    return acceptedOperation(await started)
  },
})

/** What a dry run removes. */
const nothing = { deleted: [], reclaimed: 0 }
