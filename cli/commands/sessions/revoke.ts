import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { idsOf, one } from '../../resolve/find.ts'

export default command({
  args: '[session]',
  flags: {
    ...yesFlag,
    '--others': 'End all your sessions but the one of this client',
    '--end-tokens': 'With --others: also end all your API tokens',
  },
  details: `
Ends one of your sessions, given by its id or the beginning of its id, as \`cli sessions list\` shows them. Its feeds end
too. With --others it ends all but the one of this client. To end that one, use \`cli logout\`.`,
  examples: ['cli sessions revoke 01977d3c', 'cli sessions revoke --others --end-tokens'],
  async run({ args, flags, client, print, io }) {
    if ((args.session === undefined) !== flags.others)
      throw wrongUsage('give a session, or --others')
    if (flags.endTokens && !flags.others) throw wrongUsage('--end-tokens needs --others')
    const confirm = confirmation(io, flags)
    const service = await client()
    if (args.session === undefined) {
      const what = flags.endTokens ? 'sessions and all your API tokens' : 'sessions'
      await confirm(`End all your other ${what}?`)
      const query = { end_api_tokens: flags.endTokens }
      const reply = await service.delete('/me/sessions', { query })
      print.reply(reply, () => print.line(`all your other ${what} are ended`))
      return
    }
    const { value } = await service.get('/me/sessions')
    const { id } = one('session', args.session, idsOf(value))
    const isOwn = value.some((session) => session.id === id && session.current)
    await confirm(isOwn ? 'End the session of this client?' : 'End the session?')
    const reply = await service.delete('/me/sessions/{id}', { path: { id } })
    print.reply(reply, () => print.line('the session is ended'))
  },
})
