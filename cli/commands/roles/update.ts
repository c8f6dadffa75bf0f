import type { RoleChange } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { clean } from '../../output/text.ts'

const ownArgs = '<name> [...permissions]'

export default command({
  args: ownArgs,
  details: '\nReplaces the permissions of the role.',
  examples: ['cli roles update deployer stacks:read stacks:deploy containers:read'],
  run: update,
})

async function update({ args, client, print }: Call<typeof ownArgs>) {
  // The service may know permissions that this client does not.
  const body = { permissions: args.permissions } as RoleChange
  const service = await client()
  print.reply(await service.put('/roles/{name}', { path: { name: args.name }, body }), (role) =>
    print.line(`${clean(role.name)} is updated`),
  )
}
