import { targetEngine } from '../core/hosts/target.ts'
import { pruneImages } from '../core/images/prune-images.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { PrunedImages } from './schema.ts'

export default endpoint({
  summary: 'Remove unused images',
  description:
    'Like `docker image prune`: removes images that no container uses and that lost their names, such as to a newer build or pull. Rejected while a deployment on the host builds an image.',
  access: 'images:delete',
  atService: true,
  query: HostQuery,
  returns: PrunedImages,
  noTimeout: true,
  errors: {
    404: 'No host has that id or name',
    409: 'Another prune or a build is running on the host',
  },

  async run(
    { query, caller, signal },
    ports: Needs<
      'background' | 'clock' | 'deployments' | 'engines' | 'hosts' | 'leases' | 'random' | 'stacks'
    >,
  ) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const { deleted, reclaimed } = await pruneImages(hostFields, engine, signal, ports)
    return { deleted, reclaimed_bytes: reclaimed }
  },
})
