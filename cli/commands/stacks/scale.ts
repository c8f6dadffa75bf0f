import { command } from '../../command.ts'
import { checkHost } from '../../resolve/host.ts'
import { scaleOf, scaleServices } from '../../stacks/scale-services.ts'

export default command({
  args: '<name> <...services>',
  progress: true,
  details: `
Gives services another number of containers, each as <service>=<number>, one after the other. The next deploy of a
service sets it to what the compose file says.`,
  examples: ['cli stacks scale shop web=3', 'cli stacks scale shop web=3 worker=0'],
  fields: { replicas: '<service>=<number>' },
  async run({ args: { name, services }, flags, client, print, io }) {
    const scales = services.map(scaleOf)
    const service = await client()
    await checkHost(service, name, flags.host)
    await scaleServices(name, scales, { client: service, print, io })
  },
})
