import { command } from '../../command.ts'

export default command({
  list: true,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/roles'), (roles) =>
      print.table(roles, [
        { head: 'ROLE', text: (role) => role.name },
        { head: 'KIND', text: (role) => (role.builtin ? 'built in' : 'custom') },
        { head: 'PERMISSIONS', text: (role) => role.permissions.join(' ') },
      ]),
    )
  },
})
