import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findHost } from '../../resolve/find.ts'

export default command({
  args: '<host>',
  flags: yesFlag,
  details: `
Revokes a host, given by name or id, deletes it from the list, and forgets the stacks that are placed on it: it asks
and names them. Nothing is removed on the host itself. If the host still runs, delete its stacks before:
\`cli stacks delete\` removes their containers.`,
  examples: ['cli hosts delete nas'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const host = await findHost(service, args.host)
    const stacks = (await service.get('/stacks', { query: { host: host.id } })).value
    const names = stacks.map((stack) => stack.name)
    const name = clean(host.name)
    const list = clean(names.join(', '))
    await confirm(`Delete the host ${name}${list && ` and forget its stacks ${list}`}?`)
    const query = { force: true, stacks: names }
    const path = { id: host.id }
    const reply = await service.delete('/hosts/{id}', { path, query, timeout: 0 })
    print.reply(reply, () => {
      print.line(`${name} is deleted`)
      if (names.length > 0) {
        print.note(`forgotten: ${list}; what they left on the host is still there`)
      }
    })
  },
})
