import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findHost } from '../../resolve/find.ts'

export default command({
  args: '<host>',
  flags: yesFlag,
  details:
    '\nRevokes a host, given by name or id. Its agent is disconnected and rejected; its containers keep running. A host that\nis revoked or never enrolled is deleted from the list, unless stacks are placed on it.',
  examples: ['cli hosts revoke nas'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, name, status } = await findHost(service, args.host)
    const goes = status === 'revoked' || status === 'pending'
    await confirm(`${goes ? 'Delete' : 'Revoke'} the host ${clean(name)}?`)
    const reply = await service.delete('/hosts/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(name)} is ${goes ? 'deleted' : 'revoked'}`))
  },
})
