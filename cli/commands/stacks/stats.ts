import { command } from '../../command.ts'
import { statsDetails, statsFlags, watchStats } from '../../follow/stats.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: statsFlags,
  details: `\nShows all current containers of the stack.\n${statsDetails}`,
  async run({ args, flags, client, print, io }) {
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const stack = await service.get('/stacks/{name}', { path: { name: args.name } })
    const { value } = await service.get('/stacks/{name}/status', { path: { name: args.name } })
    const containers = value.flatMap(({ container_id: id, name, service: its }) =>
      id === null ? [] : [{ id, name: name ?? its }],
    )
    await watchStats({ flags, print, io }, service, containers, stack.value.host)
  },
})
