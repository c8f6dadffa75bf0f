import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns a script as a resource of Node.js.
 *
 * @param command the words that run the Node.js that makes the resource
 * @param useCodeCache adds what the compiler makes of the script. It is valid for that Node.js only
 */
export function resourceOf(script: string, command: string[], useCodeCache: boolean): Buffer {
  if (!useCodeCache) return generate(script, command, [], false)
  // A code cache is in the order of a hash table, and its seed is random unless it is given.
  const lasting = generate(script, command, ['--hash-seed=1'], true)
  // Node.js refuses a code cache that was made with other options, such as a seed. The digest of
  // the options is in the header, so it is taken from one that was made without.
  const usual = generate(script, command, [], true)
  const [to, from] = [headerOf(lasting, script), headerOf(usual, script)]
  if (!to.subarray(0, optionsAt).equals(from.subarray(0, optionsAt)))
    throw new Error('the headers of two code caches differ')
  from.copy(to, optionsAt, optionsAt, optionsAt + 4)
  return lasting
}

/** V8's header: a magic number, and digests of its version, of the script and of the options. */
const optionsAt = 12
const magicEnd = 0xc0de

/** Returns the header of the code cache, which follows the script and its own size. */
function headerOf(resource: Buffer, script: string): Buffer {
  const text = Buffer.from(script)
  const header = resource.subarray(resource.indexOf(text) + text.length + 8)
  if (header.readUInt16LE(2) !== magicEnd) throw new Error('the resource has no code cache')
  return header
}

function generate(script: string, command: string[], options: string[], useCodeCache: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'container-stacks-resource-'))
  try {
    const settings = {
      // The path is part of the resource, so it is the same in each build.
      main: 'script.cjs',
      output: 'resource',
      disableExperimentalSEAWarning: true,
      useCodeCache,
      // The environment of a user's own Node.js programs does not change these.
      execArgvExtension: 'none',
    }
    writeFileSync(join(folder, settings.main), script)
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
    const [program = '', ...words] = command
    const args = [...words, ...options, '--experimental-sea-config', 'settings.json']
    const env = { PATH: process.env.PATH }
    execFileSync(program, args, { cwd: folder, stdio: 'pipe', env })
    return readFileSync(join(folder, settings.output))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
