import { instant } from '../../core/access/fields.ts'
import { requireEveryHost } from '../../core/access/grant.ts'
import { upgradeAccount } from '../../core/operations/end-of-upgrade.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { type OwnContainer, ownPlace } from '../../core/upgrade/own-place.ts'
import { runningPause } from '../../core/upgrade/pause-service.ts'
import { type RunningWorkPorts, runningWork } from '../../core/upgrade/running-work.ts'
import { version } from '../../core/version.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { runningMax, ServiceUpgrade } from './schema.ts'

export default endpoint({
  summary: 'Show what an upgrade would replace and interrupt',
  description:
    'Says how the process that responds was installed, and in which container it runs. Needs an account that is not limited to some hosts.',
  access: 'service:upgrade',
  atService: true,
  returns: ServiceUpgrade,

  async run({ caller }, ports: Ports) {
    requireEveryHost(caller, 'upgrade of the service')
    const [place, pause, running, last] = await Promise.all([
      ownPlace(ports),
      runningPause(ports),
      runningWork(ports),
      ports.serviceUpgrades.last(),
    ])
    const container = place.kind === 'container' ? containerView(place.container) : null
    const page = place.kind === 'elsewhere' ? 'upgrading.md' : 'install-container.md'
    return {
      version,
      installed: place.kind,
      container,
      guide: `docs/${page}#upgrade`,
      pause: pause
        ? { operation_id: pause.id, by: pause.by, started_at: instant(pause.startedAt) }
        : null,
      running: running
        .slice(0, runningMax)
        .map(({ kind, id, name, hostId }) => ({ kind, id, name, host_id: hostId })),
      last: last ? upgradeAccount(last) : null,
    }
  },
})

type Ports = RunningWorkPorts & Needs<'engines' | 'operations' | 'ownProcess' | 'serviceUpgrades'>

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
