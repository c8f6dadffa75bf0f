import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { path } from '../../http.ts'
import type { StackDetails } from '../../records.ts'
import { clean, say } from '../../text.ts'

const ownFlags = { '--only <file>': 'Print only this file, byte for byte' } as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Prints compose.yaml, .env and the overlays, each under a comment with its name. Reading .env needs the permission
stacks:secrets.`,
  examples: ['cli stacks get shop', 'cli stacks get shop --only compose.yaml > compose.yaml'],
  run: get,
})

async function get({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const service = await client()
  const reply = await service.get<StackDetails>(path`/stacks/${args.name}`)
  // A file is escaped for a terminal, but written unchanged to a file or pipe.
  const shown = (text: string) => io.stdout.write(io.stdout.isTTY ? say(text) : text)
  print.reply(reply, (stack) => {
    const files = filesOf(stack)
    if (flags.only !== undefined) {
      const text = Object.hasOwn(files, flags.only) ? files[flags.only] : undefined
      if (text === undefined) throw failed(`stack ${args.name} has no ${flags.only} to show`)
      shown(text)
      return
    }
    const texts = Object.entries(files).map(([name, text]) => `# ${clean(name)}\n${ended(text)}`)
    shown(texts.join('\n'))
    for (const { path: file, change } of stack.drift) {
      print.note(`${clean(file)} on the host is ${change}: it differs from the deployed file`)
    }
  })
}

function filesOf(stack: StackDetails): Record<string, string> {
  const overlays = Object.entries(stack.overlays).map(([name, text]) => [
    `compose.${name}.yaml`,
    text,
  ])
  const env = stack.env === null ? [] : [['.env', stack.env]]
  return Object.fromEntries([['compose.yaml', stack.compose], ...env, ...overlays])
}

const ended = (text: string) => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
