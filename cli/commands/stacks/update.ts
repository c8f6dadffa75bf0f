import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { path } from '../../http.ts'
import type { Stack, StackChange } from '../../records.ts'
import { fileDetails, fileFlags, readStackFiles } from '../../stack-files.ts'
import { checkPlace } from '../../stack-place.ts'
import { clean } from '../../text.ts'

const ownFlags = {
  ...fileFlags,
  '--revision <number>': 'Fail if the stack was changed since this revision',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `${fileDetails}

Files that you do not send are kept on the server. Running containers change with the next deploy.`,
  examples: ['cli stacks update shop && cli stacks deploy shop'],
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const revision = revisionOf(flags.revision)
  const service = await client()
  await checkPlace(service, args.name, flags.host)
  const texts = await readStackFiles(flags, io, (names) => print.note(`sending ${clean(names)}`))
  const body: StackChange = { ...texts, revision }
  print.reply(await service.put<Stack>(path`/stacks/${args.name}`, { body }), (stack) => {
    print.line(`${clean(stack.name)} is saved, revision ${stack.revision}`)
    print.note(`  next: cli stacks deploy ${clean(stack.name)}`)
  })
}

function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text))
    throw wrongUsage(`--revision ${JSON.stringify(text)}: must be a number`)
  return Number(text)
}
