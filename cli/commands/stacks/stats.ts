import { command } from '../../command.ts'
import { path } from '../../http.ts'
import type { ServiceStatus, StackDetails } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { statsDetails, statsFlags, watchStats } from '../../watch-stats.ts'

export default command({
  args: '<name>',
  flags: statsFlags,
  details: `\nShows all current containers of the stack.\n${statsDetails}`,
  async run({ args, flags, client, print, io }) {
    const service = await client()
    await checkPlace(service, args.name, flags.host)
    const stack = await service.get<StackDetails>(path`/stacks/${args.name}`)
    const { value } = await service.get<ServiceStatus[]>(path`/stacks/${args.name}/status`)
    const containers = value.flatMap(({ container_id: id, name, service: its }) =>
      id === null ? [] : [{ id, name: name ?? its }],
    )
    await watchStats({ flags, print, io }, service, containers, stack.value.host)
  },
})
