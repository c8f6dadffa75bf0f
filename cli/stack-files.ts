import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { failed, wrongUsage } from './failure.ts'
import type { Io } from './io.ts'
import { readInput } from './prompt.ts'

/** Flags of commands that send the files of a stack. */
export const fileFlags = {
  '--file <path>': 'The compose file; `-` reads standard input',
  '--env-file <path>': 'The file sent as .env',
  '--without-env': 'Do not send .env',
  '--overlay <...name=path>': 'An overlay, such as prod=compose.prod.yaml; repeatable',
} as const

/** The help text for those flags. */
export const fileDetails = `
By default the client sends the files of the current directory: compose.yaml (or compose.yml, docker-compose.yaml,
docker-compose.yml), .env if it exists, and the overlays compose.<name>.yaml, which a deploy with --environment <name>
applies. With --file, it looks for .env and overlays next to that file. With --overlay, it sends only the given
overlays. The names of the sent files are printed on standard error.`

/** The texts of a stack in the API's form, without files that do not exist. */
export interface StackTexts {
  compose: string
  env?: string
  overlays?: Record<string, string>
}

export interface FileChoice {
  file?: string
  envFile?: string
  withoutEnv: boolean
  overlay: string[]
}

/** The service accepts no more for one stack. Bytes. */
const sizeMax = 4 * 1024 * 1024

/**
 * Reads the files of a stack and passes their names to `said`. Throws a `CliFailure` for a file
 * that cannot be read or sent.
 */
export async function readStackFiles(choice: FileChoice, io: Io, said: (names: string) => void) {
  if (choice.envFile !== undefined && choice.withoutEnv) {
    throw wrongUsage('--env-file and --without-env: use only one')
  }
  if (choice.file === '-') return fromInput(choice, io)
  const file = choice.file === undefined ? await findCompose(io.cwd) : resolve(io.cwd, choice.file)
  const overlayFiles =
    choice.overlay.length > 0 ? givenOverlays(choice.overlay, io.cwd) : await findOverlays(file)
  const envFile = await findEnv(choice, dirname(file), io.cwd)
  const files = [file, ...(envFile ? [envFile] : []), ...Object.values(overlayFiles)]
  said(files.map((one) => basename(one)).join(', '))
  return checkSize(await readTexts(file, envFile, overlayFiles))
}

async function fromInput(choice: FileChoice, io: Io): Promise<StackTexts> {
  const compose = await readInput(io, sizeMax)
  if (compose.trim() === '') throw failed('standard input contains no compose file')
  const envFile = choice.envFile === undefined ? undefined : resolve(io.cwd, choice.envFile)
  const rest = await readTexts(undefined, envFile, givenOverlays(choice.overlay, io.cwd))
  return checkSize({ ...rest, compose })
}

async function readTexts(
  file: string | undefined,
  envFile: string | undefined,
  overlayFiles: Record<string, string>,
): Promise<StackTexts> {
  const overlays = Object.entries(overlayFiles).map(
    async ([name, path]) => [name, await readText(path)] as const,
  )
  return {
    compose: file ? await readText(file) : '',
    ...(envFile ? { env: await readText(envFile) } : {}),
    ...(overlays.length > 0 ? { overlays: Object.fromEntries(await Promise.all(overlays)) } : {}),
  }
}

const composeNames = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

async function findCompose(directory: string): Promise<string> {
  const names = await namesIn(directory)
  const found = composeNames.find((name) => names.includes(name))
  if (found) return join(directory, found)
  throw failed(`there is no compose.yaml in ${directory}`, { hint: 'name one with --file' })
}

async function findEnv(choice: FileChoice, directory: string, cwd: string) {
  if (choice.withoutEnv) return undefined
  if (choice.envFile !== undefined) return resolve(cwd, choice.envFile)
  return (await namesIn(directory)).includes('.env') ? join(directory, '.env') : undefined
}

/**
 * Finds overlays next to the compose file, named after it: `compose.prod.yaml` for `compose.yaml`.
 */
async function findOverlays(file: string): Promise<Record<string, string>> {
  const stem = `${basename(file, extname(file))}.`
  const found: Record<string, string> = {}
  // In this order `prod.yaml` comes after `prod.yml` and wins.
  for (const name of (await namesIn(dirname(file))).sort().reverse()) {
    if (!name.startsWith(stem)) continue
    const [, environment] =
      /^([a-z0-9][a-z0-9_-]{0,62})\.ya?ml$/.exec(name.slice(stem.length)) ?? []
    if (environment) found[environment] = join(dirname(file), name)
  }
  return found
}

function givenOverlays(given: string[], cwd: string): Record<string, string> {
  const pairs = given.map((text) => {
    const [, name = '', path = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (!name)
      throw wrongUsage(
        `--overlay ${JSON.stringify(text)}: must be <name>=<path>, such as prod=compose.prod.yaml`,
      )
    return [name, resolve(cwd, path)] as const
  })
  return Object.fromEntries(pairs)
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    throw failed(`cannot read ${directory}: ${error.code}`, { cause: error })
  })
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw failed(`cannot read ${path}: ${error.code === 'ENOENT' ? 'no such file' : error.code}`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw failed(`${path} is not UTF-8 text`, { cause: error })
  }
}

function checkSize(texts: StackTexts): StackTexts {
  if (Buffer.byteLength(JSON.stringify(texts)) < sizeMax) return texts
  throw failed('the files of the stack are larger than 4 MiB')
}
