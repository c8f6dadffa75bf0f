import { command } from '../../command.ts'
import { path } from '../../http.ts'
import type { ServiceStatus } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { statusStyle } from '../../status-style.ts'
import { shortId } from '../../units.ts'

export default command({
  args: '<name>',
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkPlace(service, args.name, flags.host)
    const reply = await service.get<ServiceStatus[]>(path`/stacks/${args.name}/status`)
    print.reply(reply, (services) =>
      print.table(services, [
        { head: 'SERVICE', text: (one) => one.service },
        { head: 'CONTAINER', text: (one) => shortId(one.container_id) },
        { head: 'STATE', text: stateOf, style: statusStyle },
        { head: 'HEALTH', text: (one) => one.health, style: statusStyle },
        { head: 'IMAGE', text: (one) => one.image },
      ]),
    )
  },
})

function stateOf({ state, exit_code }: ServiceStatus): string {
  return state === 'exited' && exit_code !== null ? `exited (${exit_code})` : state
}
