import type { Reply } from '../api/client.ts'
import type { Source, StackDetails } from '../api/types.ts'
import { ApiFailure, failed } from '../failure.ts'
import { choiceOf } from '../flags/choice.ts'
import { sourceStateText } from '../output/source-state.ts'
import { clean } from '../output/text.ts'
import { hostFor, hostOf } from '../resolve/host.ts'
import { sourcePatience } from '../source-patience.ts'
import { type ChosenFolder, chooseFolder } from './choose-folder.ts'
import { findSource } from './find-source.ts'
import type { FromSourceFlags } from './flags.ts'
import { reachSource } from './reach-source.ts'
import type { Work } from './work.ts'

/** A stack to make of a source. */
export interface StackOfSource {
  name: string
  flags: FromSourceFlags
  /** As `--host` names it. */
  host: string | undefined
  /** The sets of shared variables that it takes; undefined for none. */
  shared?: readonly string[] | undefined
}

const modes = ['notify', 'plan', 'deploy'] as const

/**
 * Makes a stack that follows a source, and the source if there is none with that address. Shows
 * what was found, and does not deploy. After a failure it says what was made.
 */
export async function createFromSource(
  asked: StackOfSource,
  output: Omit<Work, 'made'>,
): Promise<void> {
  const work: Work = { ...output, made: [] }
  const onChange = choiceOf('--on-change', asked.flags.onChange, modes) ?? 'plan'
  try {
    const source = await reachSource(await findSource(asked.flags, work), work)
    const folder = await chooseFolder(source.name, asked.flags.path, work)
    showFound(source, folder, work)
    await makeStack(asked, work)
    await bind(asked.name, { source: source.name, path: folder.path, on_change: onChange }, work)
    showMade(await readStack(asked.name, work), source, work)
  } catch (error) {
    for (const line of work.made) work.print.note(line)
    throw error
  }
}

function showFound(source: Source, { path, composeFile, found }: ChosenFolder, { print }: Work) {
  print.note(`source: ${clean(source.name)}, ${clean(source.url)} at ${clean(source.ref)}`)
  print.note(`read: ${sourceStateText(found)}`)
  print.note(`folder: ${path === '' ? '.' : clean(path)}`)
  if (composeFile !== undefined) print.note(`compose file: ${clean(composeFile)}`)
}

/** The files come from the source. Until then the stack has no service. */
async function makeStack({ name, host, shared }: StackOfSource, { client }: Work): Promise<void> {
  const taken = shared && { shared_variables: [...shared] }
  const body = { name, host: await hostFor(client, host), compose: 'services: {}\n', ...taken }
  await client.post('/stacks', { body })
}

interface Terms {
  source: string
  path: string
  on_change: (typeof modes)[number]
}

/** Lets the stack follow the source, and takes its files. */
async function bind(name: string, terms: Terms, { client, made }: Work): Promise<void> {
  const stack = clean(name)
  const remove = `\`cli stacks delete ${stack}\` removes it`
  const { source, path, on_change: mode } = terms
  const folder = path === '' ? '' : ` --path ${clean(path)}`
  const set = `cli stacks source set ${stack} ${clean(source)}${folder} --on-change ${mode}`
  made.push(
    `the stack ${stack} is made, without its files: \`${set}\` and \`cli stacks source sync ${stack}\` go on; ${remove}`,
  )
  const body = { ...terms, also: [], overwrite: false }
  await client.put('/stacks/{name}/source', { path: { name }, body })
  made.pop()
  made.push(
    `the stack ${stack} is made, and follows the source without its files: \`cli stacks source sync ${stack}\` goes on; ${remove}`,
  )
  const request = { path: { name }, timeout: sourcePatience }
  const { value: binding } = await client.post('/stacks/{name}/source/sync', request)
  const { last_error: error } = binding
  if (error) throw failed(`${clean(error.reason)}: ${clean(error.message)}`)
  if (binding.synced === null) throw failed('the source is being read by another process')
  made.pop()
}

interface MadeStack {
  reply: Reply<StackDetails>
  /** Undefined if they cannot be read now. */
  services: string[] | undefined
}

async function readStack(name: string, work: Work): Promise<MadeStack> {
  const reply = await work.client.get('/stacks/{name}', { path: { name } })
  return { reply, services: await servicesOf(name, work) }
}

/** The host of the stack may be away, which is no failure of what was made. */
async function servicesOf(name: string, { client }: Work): Promise<string[] | undefined> {
  try {
    const { value } = await client.get('/stacks/{name}/status', { path: { name } })
    return [...new Set(value.map((one) => one.service))]
  } catch (error) {
    if (error instanceof ApiFailure) return undefined
    throw error
  }
}

function showMade({ reply, services }: MadeStack, source: Source, { print }: Work): void {
  if (services) print.note(`services: ${services.map(clean).join(', ') || 'none'}`)
  print.reply(reply, (stack) => {
    const name = clean(stack.name)
    print.line(
      `${name} is saved on host ${clean(hostOf(stack))}, and follows ${clean(source.name)}`,
    )
    print.note(`  next: cli stacks deploy ${name}`)
  })
}
