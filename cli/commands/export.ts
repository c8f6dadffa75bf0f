import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Call, command } from '../command.ts'
import { failed } from '../failure.ts'
import { clean, cleanLines } from '../output/text.ts'

const ownFlags = {
  '-o, --to <file>': 'Write it into this file; a file that is there is replaced',
  '--name <name>': 'Name of the estate in the file; the default is estate',
} as const

export default command({
  flags: ownFlags,
  details: `
Writes the registries, roles, alert channels, sources, stacks, backup jobs, update policies and alert rules that you may
read as one YAML file. It has no secrets, but the names under which \`cli apply\` looks for them. Comments at its
beginning list these names, and what was left out. The same estate gives the same file.`,
  examples: ['cli export -o estate.yaml', 'cli export --name home > home.yaml'],
  fields: { name: '--name' },
  run: exportEstate,
})

async function exportEstate({ flags, client, print, io }: Call<'', typeof ownFlags>) {
  const service = await client()
  const { text } = await service.raw('GET', '/estate', { query: { name: flags.name } })
  if (flags.to === undefined) {
    // The text is escaped for a terminal, but written unchanged to a file or pipe.
    io.stdout.write(io.stdout.isTTY ? cleanLines(text) : text)
    return
  }
  const file = flags.to
  await writeFile(resolve(io.cwd, file), text, { mode: 0o600 }).catch((cause: Error) => {
    throw failed(`cannot write ${clean(file)}: ${cause.message}`, { cause })
  })
  print.line(`written to ${clean(file)}`)
  for (const line of commentsOf(text)) print.note(clean(line))
}

/** Returns the lines that the file begins with: what it needs, and what it lacks. */
function commentsOf(text: string): string[] {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('# '))
  return lines.slice(0, end).map((line) => line.slice(2))
}
