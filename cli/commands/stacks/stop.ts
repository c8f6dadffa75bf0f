import { command } from '../../command.ts'
import { path } from '../../http.ts'
import type { Stack } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<name>',
  details: '\nRemoves its containers. Volumes and networks are kept.',
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkPlace(service, args.name, flags.host)
    const reply = await service.post<Stack>(path`/stacks/${args.name}/stop`, { patience: 0 })
    print.reply(reply, (stack) => print.line(`${clean(stack.name)} is ${clean(stack.status)}`))
  },
})
