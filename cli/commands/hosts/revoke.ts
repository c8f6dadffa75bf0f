import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findHost } from '../../resolve/find.ts'

export default command({
  args: '<host>',
  flags: yesFlag,
  details:
    '\nRevokes a host, given by name or id. Its agent is disconnected and rejected; its containers keep running. The host\nstays in the list: `cli hosts delete` removes it, `cli hosts enrol` lets it in again.',
  examples: ['cli hosts revoke nas'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name } = await findHost(service, args.host)
    await confirm(`Revoke the host ${clean(name)}?`)
    const reply = await service.post('/hosts/{id}/revoke', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is revoked`))
  },
})
