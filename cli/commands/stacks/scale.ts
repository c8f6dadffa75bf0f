import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { scaleOf } from '../../flags/scale.ts'
import { showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import { checkHost } from '../../resolve/host.ts'
import { requireOne } from '../../stacks/change-services.ts'

export default command({
  args: '<name> <...services>',
  flags: detachFlag,
  progress: true,
  details: `
Gives services another number of containers, each as <service>=<number>, one after the other. The next deploy of a
service sets it to what the compose file says.`,
  examples: ['cli stacks scale shop web=3', 'cli stacks scale shop web=3 worker=0'],
  fields: { replicas: '<service>=<number>' },
  async run({ args: { name, services }, flags, client, print, io }) {
    const { detach } = flags
    if (detach) requireOne(services)
    const scales = services.map(scaleOf)
    const service = await client()
    await checkHost(service, name, flags.host)
    for (const { service: scaled, replicas } of scales) {
      const options = { path: { name, service: scaled }, body: { replicas }, ...withoutWaiting }
      const started = await service.post('/stacks/{name}/services/{service}/scale', options)
      await showDeployment(started, { client: service, print, io, detach })
    }
  },
})
