import { type Call, command } from '../../command.ts'
import { path } from '../../http.ts'
import type { Role, RoleChange } from '../../records.ts'
import { clean } from '../../text.ts'

const ownArgs = '<name> [...permissions]'

export default command({
  args: ownArgs,
  details: '\nReplaces the permissions of the role.',
  examples: ['cli roles update deployer stacks:read stacks:deploy containers:read'],
  run: update,
})

async function update({ args, client, print }: Call<typeof ownArgs>) {
  const body = { permissions: args.permissions } as RoleChange
  const service = await client()
  print.reply(await service.put<Role>(path`/roles/${args.name}`, { body }), (role) =>
    print.line(`${clean(role.name)} is updated`),
  )
}
