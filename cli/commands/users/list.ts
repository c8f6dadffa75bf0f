import type { User } from '../../api/types.ts'
import { command } from '../../command.ts'
import { moment } from '../../output/units.ts'

export default command({
  list: true,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/users'), (users) =>
      print.table(users, [
        { head: 'USERNAME', text: (user) => user.username },
        { head: 'ID', text: (user) => user.id },
        { head: 'ROLE', text: (user) => user.role },
        { head: 'SCOPE', text: (user) => user.scope_tags.join(', ') },
        { head: 'STATE', text: stateOf },
        { head: 'LAST LOGIN', text: (user) => moment(user.last_login_at) },
      ]),
    )
  },
})

function stateOf({ disabled, locked_until }: User): string {
  if (disabled) return 'disabled'
  return locked_until ? `locked until ${moment(locked_until)}` : 'active'
}
