import { type Call, command } from '../../command.ts'
import { sharedFlag, sharedOf } from '../../flags/shared-flag.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

const args = '<name>'
const flags = sharedFlag

export default command({
  args,
  nameFromFolder: true,
  flags,
  list: true,
  details: `
Lists the variables that a stack takes from shared sets, or sets which sets it takes: see \`cli variables\`. A later set
of the list takes precedence, and .env takes precedence over all. With --shared it saves a new revision, which needs
stacks:update and stacks:secrets; containers change with the next deploy.`,
  examples: [
    'cli stacks variables shop',
    'cli stacks variables shop --shared home --shared mail',
    'cli stacks variables shop --shared none',
  ],
  fields: { shared_variables: '--shared' },
  run: variables,
})

async function variables({
  args: { name },
  flags: given,
  client,
  print,
}: Call<typeof args, typeof flags>) {
  const shared = sharedOf(given)
  const service = await client()
  await checkHost(service, name, given.host)
  if (shared) {
    const body = { shared_variables: shared }
    const reply = await service.put('/stacks/{name}', { path: { name }, body })
    print.reply(reply, () => {
      print.line(`${clean(name)} takes ${shared.map(clean).join(', ') || 'no shared variables'}`)
      print.note(`  next: cli stacks deploy ${clean(name)}`)
    })
    return
  }
  const { value: stack } = await service.get('/stacks/{name}', { path: { name } })
  const { value: sets } = await service.get('/variables')
  const rows = (stack.shared_variables ?? []).flatMap((set) => {
    const names = sets.find(({ name }) => name === set)?.variable_names ?? []
    return names.map((variable) => ({ variable, set }))
  })
  print.data(rows, (found) =>
    print.table(found, [
      { head: 'VARIABLE', text: (row) => row.variable },
      { head: 'SET', text: (row) => row.set },
    ]),
  )
}
