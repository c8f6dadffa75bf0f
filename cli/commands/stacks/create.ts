import { type Call, command } from '../../command.ts'
import type { NewStack, Stack } from '../../records.ts'
import { fileDetails, fileFlags, readStackFiles } from '../../stack-files.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<name>',
  flags: fileFlags,
  details: `${fileDetails}\n\nSaves the stack without deploying it: see \`cli stacks deploy\`. Use --host to name its host.`,
  examples: [
    'cli stacks create shop',
    'cli stacks create shop --file shop/compose.yaml --overlay prod=shop/prod.yaml',
  ],
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof fileFlags>) {
  const service = await client()
  const texts = await readStackFiles(flags, io, (names) => print.note(`sending ${clean(names)}`))
  const body: NewStack = { name: args.name, host: flags.host, ...texts }
  print.reply(await service.post<Stack>('/stacks', { body }), (stack) => {
    print.line(`${clean(stack.name)} is saved on host ${clean(stack.host)}`)
    if (hasRelativePaths(texts.compose)) {
      const place = `${clean(stack.directory)} on host ${clean(stack.host)}`
      print.note(
        `  this stack refers to files by relative path: put them in ${place} before deploying`,
      )
    }
    print.note(`  next: cli stacks deploy ${clean(stack.name)}`)
  })
}

/**
 * Returns true if the text contains a path that starts with a dot, as in binds, env_file or
 * configs. A wrong guess only costs a line of output.
 */
function hasRelativePaths(compose: string): boolean {
  return /(^|[\s"'[])\.{1,2}\//m.test(compose)
}
