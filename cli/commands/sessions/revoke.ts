import { command } from '../../command.ts'
import { idsOf, one } from '../../resolve/find.ts'
import { confirmation, yesFlag } from '../../session/prompt.ts'

export default command({
  args: '<session>',
  flags: yesFlag,
  details: `
Ends one of your sessions, given by its id or the beginning of its id, as \`cli sessions list\` shows them. Its feeds end
too. To end the session of this client, use \`cli logout\`.`,
  examples: ['cli sessions revoke 01977d3c'],
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { value } = await service.get('/me/sessions')
    const { id } = one('session', args.session, idsOf(value))
    const isOwn = value.some((session) => session.id === id && session.current)
    await confirm(isOwn ? 'End the session of this client?' : 'End the session?')
    const reply = await service.delete('/me/sessions/{id}', { path: { id } })
    print.reply(reply, () => print.line('the session is ended'))
  },
})
