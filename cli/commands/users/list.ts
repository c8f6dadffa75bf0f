import { command } from '../../command.ts'
import type { User } from '../../records.ts'
import { moment } from '../../units.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<User[]>('/users'), (users) =>
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
