import type { NewRole } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { clean } from '../../output/text.ts'

const ownArgs = '<name> [...permissions]'

export default command({
  args: ownArgs,
  details: '\nYou cannot grant permissions you do not have.',
  examples: ['cli roles create deployer stacks:read stacks:deploy'],
  run: create,
})

async function create({ args, client, print }: Call<typeof ownArgs>) {
  // The service may know permissions that this client does not.
  const body = { name: args.name, permissions: args.permissions } as NewRole
  const service = await client()
  print.reply(await service.post('/roles', { body }), (role) =>
    print.line(`${clean(role.name)} is created`),
  )
}
