import { command } from '../../command.ts'
import type { Role } from '../../records.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get<Role[]>('/roles'), (roles) =>
      print.table(roles, [
        { head: 'ROLE', text: (role) => role.name },
        { head: 'KIND', text: (role) => (role.builtin ? 'built in' : 'custom') },
        { head: 'PERMISSIONS', text: (role) => role.permissions.join(' ') },
      ]),
    )
  },
})
