import { command } from '../../command.ts'
import { path } from '../../http.ts'
import type { RestartOrder, Stack } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<name> [...services]',
  details:
    '\nRestarts all services, or the named ones. No container is recreated: changed files take effect with the next deploy.',
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkPlace(service, args.name, flags.host)
    const body: RestartOrder = args.services.length > 0 ? { services: args.services } : {}
    const options = { body, patience: 0 }
    const reply = await service.post<Stack>(path`/stacks/${args.name}/restart`, options)
    print.reply(reply, (stack) => print.line(`${clean(stack.name)} is ${clean(stack.status)}`))
  },
})
