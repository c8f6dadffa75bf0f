import { requireEveryHost } from '../../core/access/grant.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { type OwnContainer, ownPlace } from '../../core/upgrade/own-place.ts'
import { version } from '../../core/version.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { ServiceUpgrade } from './schema.ts'

export default endpoint({
  summary: 'Show what an upgrade would replace',
  description:
    'Says how the process that responds was installed, and in which container it runs. Needs an account that is not limited to some hosts.',
  access: 'service:upgrade',
  atService: true,
  returns: ServiceUpgrade,

  async run({ caller }, ports: Needs<'engines' | 'hosts' | 'ownProcess'>) {
    requireEveryHost(caller, 'upgrade of the service')
    const place = await ownPlace(ports)
    const container = place.kind === 'container' ? containerView(place.container) : null
    const page = place.kind === 'elsewhere' ? 'upgrading.md' : 'install-container.md'
    return { version, installed: place.kind, container, guide: `docs/${page}#upgrade` }
  },
})

const containerView = ({ id, name, image, imageId, hostId, data, compose }: OwnContainer) => ({
  id,
  name,
  image,
  image_id: imageId,
  host_id: hostId,
  data_volume: data?.kind === 'volume' ? data.source : null,
  compose_project: compose?.project ?? null,
  compose_directory: compose?.directory ?? null,
})
