import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/api-tokens'), (tokens) =>
      print.table(tokens, [
        { head: 'ID', text: (token) => token.id },
        { head: 'NAME', text: (token) => token.name },
        { head: 'USER', text: (token) => token.username },
        { head: 'PREFIX', text: (token) => token.prefix },
        { head: 'ROLE', text: ({ role, max_role: most }) => roleOf(role, most) },
        { head: 'SCOPE', text: (token) => token.scope_tags.join(', ') },
        { head: 'EXPIRES', text: (token) => moment(token.expires_at) ?? 'never' },
        { head: 'LAST USED', text: (token) => moment(token.last_used_at) },
      ]),
    )
  },
})

/** A token may do what both its user's role and the one that it was made with allow. */
const roleOf = (role: string, most: string | null) =>
  (most ?? role) === role ? role : `${role}, at most ${most}`
