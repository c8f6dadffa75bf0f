import type { StackDetails } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { clean, cleanLines } from '../../output/text.ts'
import { bytes } from '../../output/units.ts'

const ownFlags = { '--only <file>': 'Print only this file, byte for byte' } as const

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: ownFlags,
  details: `
Prints compose.yaml, .env and the overlays, each under a comment with its name. Reading .env needs the permission
stacks:secrets.`,
  examples: ['cli stacks get shop', 'cli stacks get shop --only compose.yaml > compose.yaml'],
  run: get,
})

async function get({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const service = await client()
  const reply = await service.get('/stacks/{name}', { path: { name: args.name } })
  // A file is escaped for a terminal, but written unchanged to a file or pipe.
  const shown = (text: string) => io.stdout.write(io.stdout.isTTY ? cleanLines(text) : text)
  print.reply(reply, (stack) => {
    const files = filesOf(stack)
    if (flags.only !== undefined) {
      const text = Object.hasOwn(files, flags.only) ? files[flags.only] : undefined
      if (text === undefined) throw noFile(stack, flags.only)
      shown(text)
      return
    }
    const texts = Object.entries(files).map(([name, text]) => `# ${clean(name)}\n${ended(text)}`)
    shown(texts.join('\n'))
    const env = stack.files.find(({ path }) => path === '.env')
    if (stack.env === null && env)
      print.note(`.env (${bytes(env.size)}) is hidden: reading it needs stacks:secrets`)
    for (const { path: file, change } of stack.drift) {
      print.note(`${clean(file)} on the host is ${change}: it differs from the deployed file`)
    }
  })
}

function noFile(stack: StackDetails, name: string) {
  const isHidden = name === '.env' && stack.files.some(({ path }) => path === name)
  const reason = isHidden ? ' that you may read: it needs the permission stacks:secrets' : ''
  return failed(`stack ${stack.name} has no ${name}${reason}`)
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
